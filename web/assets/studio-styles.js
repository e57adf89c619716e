/** Saved styles in the studio: chosen and saved without leaving the page, so that its file stays chosen. */

import { all, one } from './elements.js';
import { signedIn } from './studio-draft.js';
import { pageOf, showRefusal } from './studio-refusal.js';

/**
 * Takes over the links to saved styles; `changed` is called when one was put into the form.
 * @param {HTMLFormElement} form
 * @param {() => void} changed
 */
export function takeOverStyles(form, changed) {
  const look = one(form, '[data-look]', HTMLElement);
  let asking;
  for (const link of all(form, 'a[data-style]', HTMLAnchorElement)) {
    link.addEventListener('click', async (event) => {
      event.preventDefault();
      // The style that was chosen last is put in, and nothing that a person changes after it is undone by it.
      asking?.abort();
      asking = new AbortController();
      const { signal } = asking;
      look.inert = true;
      try {
        const response = await fetch(link.href, { signal });
        if (!(await signedIn(form, response))) return;
        if (!response.ok || response.redirected) {
          location.assign(link.href);
          return;
        }
        put(form, pageOf(await response.text()));
        changed();
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        if (!signal.aborted) look.inert = false;
      }
    });
  }
}

/** Gives the form the controls of another studio's page. */
function put(form, page) {
  for (const from of all(page, '[data-look] [name]:not([type=file], [name=keptLogo])', HTMLElement)) {
    const control = form.elements.namedItem(from.getAttribute('name') ?? '');
    if (control instanceof HTMLInputElement && from instanceof HTMLInputElement) {
      control.value = from.value;
      control.checked = from.checked;
    } else if (control instanceof HTMLSelectElement && from instanceof HTMLSelectElement) {
      // A resolution that is not in the list.
      if (![...control.options].some(({ value }) => value === from.value)) {
        control.add(new Option(`${from.value} dpi`, from.value));
      }
      control.value = from.value;
    }
  }
  one(form, '[name=logo]', HTMLInputElement).value = '';
  const kept = one(form, '[data-kept-logo]', HTMLElement);
  kept.replaceChildren(...one(page, '[data-kept-logo]', HTMLElement).cloneNode(true).childNodes);
}

/**
 * Saves the form's style, without its file and lines.
 * @param {HTMLFormElement} form
 * @param {string} action
 */
export async function saveStyle(form, action) {
  const place = one(form, '[data-style-notice]', HTMLElement);
  const fields = new FormData(form);
  for (const name of ['file', 'items']) fields.delete(name);
  place.textContent = 'Saving…';
  const response = await fetch(action, { method: 'POST', body: fields });
  if (!(await signedIn(form, response))) return;
  place.textContent = response.redirected ? 'The style is saved.' : 'The style is not saved.';
  if (!response.redirected) showRefusal(form, pageOf(await response.text()));
}
