/** Elements of the page, with the kind that the caller counts on, and new ones. */

/**
 * The first element that `selector` finds; a page without it is broken.
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} kind
 */
export function one(root, selector, kind) {
  const found = root.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`The page has no ${selector}`);
  return found;
}

/**
 * All elements of the kind that `selector` finds.
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} kind
 */
export function all(root, selector, kind) {
  return [...root.querySelectorAll(selector)].flatMap((found) => (found instanceof kind ? [found] : []));
}

/**
 * A new element with that content.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {(string | Node)[]} content
 */
export function element(name, ...content) {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}

/**
 * A new box of that class with that content.
 * @param {string} className
 * @param {(string | Node)[]} content
 */
export function boxOf(className, ...content) {
  return Object.assign(element('div', ...content), { className });
}
