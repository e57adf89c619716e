/** The price, the button, and what is in its way. */

import { all, one } from './elements.js';
import { asks, count, counted, file, form, hasFile, items, known, placeOf, typed } from './studio-form.js';

const QUESTION = 'Answer the question under your file.';

export function showPrice() {
  const codes = count();
  known.priced = codes;
  const { warnings = [], dataWarnings = [] } = known.checked ?? {};
  known.warned = [...warnings, ...dataWarnings];
  const balance = credits(Number(form.dataset.balance));
  const cost = `${counted(codes, 'code costs', 'codes cost')} ${credits(codes)}.`;
  const isUnlimited = form.dataset.unlimited !== undefined;
  placeOf('[data-price]').textContent = isUnlimited
    ? `${codes === 0 ? '' : `${cost} `}Credits are unlimited here.`
    : `${codes === 0 ? 'Each code costs one credit.' : cost} You have ${balance}.`;
  placeOf('[data-shortage]').hidden = isUnlimited || codes <= Number(form.dataset.balance);
  showState();
}

export function setSending(value) {
  known.isSending = value;
  showState();
}

/**
 * The button works when nothing is in the way. To disable it during a check would swallow the press that ends the typing.
 */
export function showState() {
  const button = one(form, '[data-make]', HTMLButtonElement);
  const reason = obstacle();
  button.textContent = known.isSending ? 'Sending…' : 'Make codes';
  button.disabled = known.isSending || reason !== '';
  const place = placeOf('[data-reason]');
  place.textContent = reason || known.news;
  place.hidden = place.textContent === '';
}

export function obstacle() {
  if (form.dataset.suspended !== undefined) return 'Your organisation is suspended.';
  if (known.down !== '') return `${known.down} Your work is kept; we keep trying.`;
  const reason = known.reading?.isReady ? '' : listObstacle();
  if (reason !== '') return reason;
  if (form.querySelector('[data-hex][aria-invalid=true]')) return 'Correct the colour first.';
  if (known.styleProblems.length > 0) return known.styleProblems[0];
  if (known.widthProblem !== '') return 'Correct the width in print first.';
  const missing = count() - Number(form.dataset.balance);
  if (missing > 0 && form.dataset.unlimited === undefined) return `You need ${credits(missing)} more.`;
  return '';
}

function listObstacle() {
  if (hasFile()) {
    if (!known.checked) return 'The file is being read.';
    if (known.checked.problems.length > 0) return problemUnder('file', known.checked);
    return known.checked.table?.asksForEncoding ? QUESTION : '';
  }
  const missing = known.missing.find(({ name }) => name === 'file');
  if (missing) return `Choose “${missing.file}” once more, or change the lines to make codes of them.`;
  if (typed().length === 0) return 'Add a file or a few lines to start.';
  return known.hasLongLine && !known.checkedLines?.total ? problemUnder('lines', known.checkedLines) : '';
}

/** The sentences of the page about a list before its codes are paid. */
export function told() {
  return {
    list: file.files?.[0] ?? items.value,
    codes: known.priced,
    said: [...notes().map(({ textContent }) => textContent), ...known.warned],
  };
}

function notes() {
  return all(form, '[data-check-result] :is(p, li)', HTMLElement);
}

/** Shows what the page did not say `before`. True where there is. */
export function hasNews(before) {
  const { list, codes, said } = told();
  const isNew = (text) => !before.said.includes(text);
  if (said.some(isNew)) {
    known.news = 'Something new is said of your codes. Read it, then press again.';
    const news = notes().find(({ textContent }) => isNew(textContent)) ?? placeOf('[data-warnings]');
    news.scrollIntoView({ block: 'center' });
  }
  if (list !== before.list) known.news = 'The list is another one now. Press again to make its codes.';
  if (codes !== before.codes) known.news = `The price is now ${credits(codes)}. Press again to make the codes.`;
  return known.news !== '';
}

/** @param {any} check */
function problemUnder(place, check = {}) {
  const { faulty } = check;
  if (asks(check)) return QUESTION;
  if (!faulty) return `See the problem under your ${place}.`;
  return faulty.rows === 1 ? `Skip the ${faulty.unit}, or correct it.` : `Skip the ${faulty.unit}s, or correct them.`;
}

function credits(value) {
  return counted(value, 'credit', 'credits');
}
