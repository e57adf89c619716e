/** The price, the button, and what is in its way. */

import { one } from './elements.js';
import { asks, count, file, form, known, number, typed } from './studio-form.js';

const DOWN = 'The service draws no codes at the moment. Your work is kept; we keep trying.';

export function showPrice() {
  const codes = count();
  const balance = credits(Number(form.dataset.balance));
  const cost = `${number.format(codes)} ${codes === 1 ? 'code costs' : 'codes cost'} ${credits(codes)}.`;
  const isUnlimited = form.dataset.unlimited !== undefined;
  one(form, '[data-price]', HTMLElement).textContent = isUnlimited
    ? `${codes === 0 ? '' : `${cost} `}Credits are unlimited here.`
    : `${codes === 0 ? 'Each code costs one credit.' : cost} You have ${balance}.`;
  one(form, '[data-shortage]', HTMLElement).hidden = isUnlimited || codes <= Number(form.dataset.balance);
  showState();
}

export function setSending(value) {
  known.isSending = value;
  showState();
}

/** The button works when nothing is in the way; what is in the way stands below it. */
export function showState() {
  const button = one(form, '[data-make]', HTMLButtonElement);
  const reason = obstacle();
  button.textContent = known.isSending ? 'Sending…' : 'Make codes';
  button.disabled = known.isSending || reason !== '';
  const place = one(form, '[data-reason]', HTMLElement);
  place.textContent = reason;
  place.hidden = reason === '';
}

export function obstacle() {
  if (form.dataset.suspended !== undefined) return 'Your organisation is suspended.';
  if (known.isDown) return DOWN;
  const hasFile = Boolean(file.files?.length);
  if (hasFile && !known.checked) return 'The file is being read.';
  if (hasFile && known.checked.problems.length > 0) return problemUnder('file', known.checked);
  if (!hasFile && typed().length === 0) return 'Add a file or a few lines to start.';
  if (!hasFile && known.hasLongLine && !known.checkedLines?.total) return problemUnder('lines', known.checkedLines);
  if (form.querySelector('[data-hex][aria-invalid=true]')) return 'Correct the colour first.';
  if (known.styleProblems.length > 0) return known.styleProblems[0];
  if (known.widthProblem !== '') return known.widthProblem;
  const missing = count() - Number(form.dataset.balance);
  if (missing > 0 && form.dataset.unlimited === undefined) return `You need ${credits(missing)} more.`;
  return '';
}

/**
 * @param {string} place
 * @param {any} check
 */
function problemUnder(place, { faulty, table } = {}) {
  if (asks(table)) return `Answer the question under your ${place}.`;
  if (!faulty) return `See the problem under your ${place}.`;
  return faulty.rows === 1 ? `Skip the ${faulty.unit}, or correct it.` : `Skip the ${faulty.unit}s, or correct them.`;
}

function credits(value) {
  return `${number.format(value)} ${value === 1 ? 'credit' : 'credits'}`;
}
