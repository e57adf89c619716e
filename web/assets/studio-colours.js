/** The studio's colours as texts beside their controls: for those who know a colour by its code. */

import { all, one } from './elements.js';

const COLOUR = /^#?[0-9a-f]{6}$/i;

/** @param {HTMLFormElement} form */
export function takeOverColours(form) {
  for (const text of all(form, '[data-hex]', HTMLInputElement)) {
    const control = one(form, `[name=${text.dataset.hex}]`, HTMLInputElement);
    text.hidden = false;
    text.addEventListener('input', () => {
      const typed = text.value.trim();
      text.setAttribute('aria-invalid', String(!COLOUR.test(typed)));
      if (COLOUR.test(typed)) control.value = `#${typed.replace('#', '').toLowerCase()}`;
    });
    // The colour that counts replaces a text that is none.
    const show = () => {
      text.value = control.value;
      text.setAttribute('aria-invalid', 'false');
    };
    control.addEventListener('input', show);
    text.addEventListener('blur', show);
  }
}
