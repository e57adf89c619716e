/** Styles: chosen and saved without leaving the page, so that its file stays chosen. */

import { all, one } from './elements.js';
import { ask, prepare } from './prepare.js';
import { changedAt, markTaken, signedIn } from './studio-draft.js';
import { select } from './studio-fill.js';
import { form, hasList, inputOf, placeOf, plainButton, showKept, tellChoice } from './studio-form.js';
import { pageOf, showRefusal } from './studio-refusal.js';

/** Fields of the look that no style replaces without being told to, where a person typed them. */
const TYPED = { caption: 'Caption', widthMm: 'Width in print', version: 'Size of the codes' };

// What a job had was chosen for it.
if (new URLSearchParams(location.search).has('job')) {
  for (const name of Object.keys(TYPED)) {
    const control = placeOf(`[name=${name}]`);
    if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement)) continue;
    const { value } = control;
    if (control instanceof HTMLInputElement) control.defaultValue = '';
    else for (const option of control.options) option.defaultSelected = false;
    control.value = value;
  }
}

/** The request for the style that was chosen last. */
let asking;

/** Puts the style of a button into the form. True where that is done. @param {HTMLButtonElement} button */
export async function chooseStyle(button) {
  const address = `?style=${button.value}`;
  const look = placeOf('[data-look]');
  // The style that was chosen last is put in, and undoes nothing that a person changes after it.
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  if (button.dataset.colours !== undefined) {
    look.inert = false;
    const [foreground = '', background = ''] = button.dataset.colours.split(' ');
    inputOf('transparent').checked = false;
    for (const [name, value] of Object.entries({ foreground, background })) {
      const control = inputOf(name);
      control.value = value;
      tellChoice(control);
    }
    showAddress(address);
    return true;
  }
  look.inert = true;
  try {
    const response = await fetch(address, { signal });
    if (!(await signedIn(response))) return false;
    if (!response.ok || response.redirected) {
      location.assign(address);
      return false;
    }
    const page = pageOf(await response.text());
    const isOther = await hasOtherLogo(page);
    signal.throwIfAborted();
    put(page, isOther);
    showAddress(address);
    return true;
  } catch (error) {
    if (!signal.aborted) throw error;
    return false;
  } finally {
    if (!signal.aborted) look.inert = false;
  }
}

/** The address has the style that was chosen, for a bookmark and for whoever gets a link. */
function showAddress(address) {
  history.replaceState(history.state, '', address);
  for (const button of all(document, '[data-tiles] button', HTMLButtonElement)) {
    if (`?style=${button.value}` === address) button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
  }
}

/** True where a person chose another logo than that of the style. */
async function hasOtherLogo(page) {
  const { files } = inputOf('logo');
  const [kept] = all(page, '[name=keptLogo]', HTMLInputElement);
  if (!files?.[0] || !kept) return false;
  // Browsers hash nothing for a page without TLS: there, each is another one.
  const hash = await crypto.subtle?.digest('SHA-256', await files[0].arrayBuffer());
  const digits = hash && [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return !digits || !kept.value.endsWith(`:${digits}`);
}

/** Gives the form the controls of another studio's page. What a person typed for the sheet stays, as does a logo. */
function put(page, isOtherLogo) {
  const others = [];
  for (const from of all(page, '[data-look] [name]:not([type=file], [name=keptLogo], [name=format])', HTMLElement)) {
    const control = form.elements.namedItem(from.getAttribute('name') ?? '');
    if (control instanceof HTMLInputElement && from instanceof HTMLInputElement) {
      const isTyped = control.value.trim() !== '' && control.value !== control.defaultValue;
      if (control.name in TYPED && isTyped) {
        if (from.value !== '' && from.value !== control.value) others.push({ control, value: from.value });
        continue;
      }
      // The next style sees by it what was typed since.
      if (control.name in TYPED) control.defaultValue = from.value;
      control.value = from.value;
      control.checked = from.checked;
      // The text of a colour goes with it, as wrong as it may be.
      if (control.type === 'color') control.dispatchEvent(new Event('input'));
    } else if (control instanceof HTMLSelectElement && from instanceof HTMLSelectElement) {
      const before = [...control.options].find((option) => option.defaultSelected) ?? control.options[0];
      const isChosen = control.name in TYPED && control.value !== before?.value;
      if (isChosen && control.value !== from.value) {
        others.push({ control, value: from.value, text: from.selectedOptions[0]?.text });
      } else {
        choose(control, from.value);
      }
    }
  }
  putKept(page);
  // A person's own stays, and goes before that of the style.
  if (isOtherLogo) others.push({ control: inputOf('logo'), value: '', text: 'its own' });
  showOthers(others);
}

/** Gives the form the logo that another studio's page keeps. */
function putKept(page) {
  const ofStyle = one(page, '[data-kept-logo]', HTMLElement);
  placeOf('[data-kept-logo]').replaceChildren(...ofStyle.cloneNode(true).childNodes);
  showKept();
}

/** Chooses a value of a list. The next style sees by it what was chosen since. */
function choose(list, value) {
  select(list, value);
  for (const option of list.options) option.defaultSelected = option.selected;
}

/** Says what of the style was not taken, and takes it on request. */
function showOthers(others) {
  const place = placeOf('[data-others]');
  place.replaceChildren();
  if (others.length === 0) return;
  const texts = others.map(({ control, value, text = `“${value}”` }) => `${TYPED[control.name] ?? 'Logo'}: ${text}`);
  const button = plainButton('Use those of the style', () => {
    place.replaceChildren();
    for (const { control, value } of others) {
      if (control instanceof HTMLSelectElement) {
        choose(control, value);
      } else {
        control.value = value;
        if (control.type === 'file') inputOf('keptLogo').checked = true;
        else control.defaultValue = value;
      }
      tellChoice(control);
    }
  });
  place.append(`What you chose stays. The style has something else. ${texts.join('. ')}. `, button);
}

/**
 * Saves the form's style, without its file and lines. Asks before it replaces another one.
 * @param {string} action
 * @param {string} [replaced] id of the style that is replaced
 */
export async function saveStyle(action, replaced) {
  const place = placeOf('[data-style-notice]');
  const name = inputOf('styleName');
  const isNamed = name.value.trim() !== '';
  name.setAttribute('aria-invalid', String(!isNamed));
  if (!isNamed) {
    place.textContent = 'Type a name for the style first.';
    name.focus();
    return;
  }
  const fields = new FormData(form);
  for (const field of ['file', 'items']) fields.delete(field);
  if (replaced !== undefined) fields.set('replace', replaced);
  // A page with scripts keeps the rest of the form by itself.
  fields.set('seen', '1');
  place.textContent = 'Saving…';
  const before = changedAt;
  const response = await fetch(action, { method: 'POST', body: fields });
  if (!(await signedIn(response))) return;
  const page = pageOf(await response.text());
  if (response.redirected) {
    place.textContent = 'The style is saved.';
    if (!hasList() && before === changedAt) markTaken();
    placeOf('[data-others]').replaceChildren();
    putKept(page);
    showSaved(page);
    const { searchParams } = new URL(response.url);
    showAddress(`?style=${searchParams.get('style')}`);
    return;
  }
  place.textContent = '';
  const [earlier] = all(page, '[name=replace]', HTMLInputElement);
  if (earlier && earlier.value !== replaced) {
    ask(`Replace “${name.value.trim()}” for everybody?`, 'Replace style', () => saveStyle(action, earlier.value));
  } else {
    showRefusal(page);
  }
}

/** Shows the saved styles of another studio's page. A list that is open stays so. */
function showSaved(page) {
  const parts = all(page, '[data-saved]', HTMLElement);
  for (const [at, part] of all(document, '[data-saved]', HTMLElement).entries()) {
    part.replaceChildren(...(parts[at]?.childNodes ?? []));
    part.hidden = parts[at]?.hidden ?? false;
    prepare(part);
  }
}
