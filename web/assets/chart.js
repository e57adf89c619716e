/** The chart of use per day: the day under the pointer or with the focus is told, and arrow keys go from day to day. */

import { all, one } from './elements.js';

const STEPS = new Map([
  ['ArrowLeft', -1],
  ['ArrowRight', 1],
  ['PageUp', -7],
  ['PageDown', 7],
  ['Home', -Infinity],
  ['End', Infinity],
]);

for (const chart of all(document, '[data-chart]', HTMLElement)) {
  const days = all(chart, 'a', SVGAElement);
  const told = one(chart, '[data-day]', HTMLElement);
  for (const [place, day] of days.entries()) {
    const tell = () => (told.textContent = day.getAttribute('aria-label'));
    day.addEventListener('pointerenter', tell);
    day.addEventListener('focus', tell);
    day.addEventListener('keydown', (event) => {
      const step = STEPS.get(event.key);
      if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      day.tabIndex = -1;
      const next = days[Math.min(days.length - 1, Math.max(0, place + step))];
      next.tabIndex = 0;
      next.focus();
    });
  }
}
