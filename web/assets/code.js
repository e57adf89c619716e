/** The form that changes a code: the tab keeps what is typed until the page is opened anew. */

import { all, one } from './elements.js';

const key = location.pathname;
const form = one(document, '[data-code]', HTMLFormElement);
const fields = [
  ...all(form, 'textarea', HTMLTextAreaElement),
  ...all(form, 'select', HTMLSelectElement),
  ...all(form, 'input:not([type=hidden])', HTMLInputElement),
];

const [visit] = performance.getEntriesByType('navigation');
if (visit instanceof PerformanceNavigationTiming && visit.type === 'navigate') sessionStorage.removeItem(key);
const kept = JSON.parse(sessionStorage.getItem(key) ?? '{}');
for (const field of fields) field.value = kept[field.name] ?? field.value;

form.addEventListener('input', () => {
  sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(fields.map(({ name, value }) => [name, value]))));
});
