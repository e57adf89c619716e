/** Colours as texts beside their controls: for those who know a colour by its code or its name. */

import { all, element } from './elements.js';
import { form, inputOf, placeOf } from './studio-form.js';

export function takeOverColours() {
  for (const text of all(form, '[data-hex]', HTMLInputElement)) {
    const control = inputOf(text.dataset.hex ?? '');
    const said = placeOf(`#${text.dataset.hex}-text`);
    text.hidden = false;
    const look = () => {
      const typed = text.value.trim();
      const colour = colourOf(typed);
      text.setAttribute('aria-invalid', String(colour === undefined));
      said.classList.toggle('danger', colour === undefined);
      if (colour === undefined) {
        const wrong = typed === '' ? 'A colour is needed.' : `“${typed}” is no colour.`;
        said.textContent = `${wrong} Write six digits, such as #1b3a5c, or an English name.`;
        return;
      }
      said.textContent = typed.startsWith('#') || typed === colour.slice(1) ? '' : `“${typed}” is ${colour}.`;
      control.value = colour;
    };
    text.addEventListener('input', look);
    control.addEventListener('input', () => {
      text.value = control.value;
      look();
    });
  }
}

/** Shows a colour that was set by the page. */
export function showColours() {
  for (const text of all(form, '[data-hex]', HTMLInputElement)) {
    const { value } = inputOf(text.dataset.hex ?? '');
    // The text that a person writes stays.
    if (text.ariaInvalid === 'true' || colourOf(text.value.trim()) === value) continue;
    text.value = value;
    placeOf(`#${text.dataset.hex}-text`).textContent = '';
  }
}

/** A colour as `#rrggbb`; undefined where the text is none. */
function colourOf(typed) {
  const text = /^[0-9a-f]{3}$/i.test(typed) ? `#${typed}` : typed.replaceAll(/(?<=[a-z])\s+(?=[a-z])/gi, '');
  if (/^#?[0-9a-f]{6}$/i.test(text)) return `#${text.replace('#', '').toLowerCase()}`;
  const context = element('canvas').getContext('2d');
  const isColour = /^(#[0-9a-f]{3}|[a-z]+|rgb\([\d\s,.%]+\))$/i.test(text) && !/^currentcolor$/i.test(text);
  if (!context || !isColour) return undefined;
  // A text that is no colour leaves the one before.
  const found = ['#000000', '#ffffff'].map((before) => {
    context.fillStyle = before;
    context.fillStyle = text;
    // A string: only a gradient that was set is another thing.
    return /** @type {string} */ (context.fillStyle);
  });
  return found[0] === found[1] && found[0]?.startsWith('#') ? found[0] : undefined;
}
