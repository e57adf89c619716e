/** Numbers and dates in the reader's locale. */

import { expect, test } from 'vitest';
import { formatsFor } from '../../src/site/shell/formats.js';

test('the formats of a locale are kept, however many locales strangers name', () => {
  for (let number = 0; number < 600; number += 1) {
    formatsFor(`en-x${number}`.padEnd(8, 'y'));
  }
  const formats = formatsFor('de-DE');
  expect(formats.number(1_234.5)).toBe('1.234,5');
  expect(formatsFor('de-DE')).toBe(formats);
});

test.each(['en-GB', 'en-US', 'de-DE', 'fr-FR', 'ja-JP'])('a day is written as it is with its time: %s', (locale) => {
  const { date, dateTime, exactTime } = formatsFor(locale);
  const time = Date.UTC(2026, 10, 8, 14, 5);
  expect(dateTime(time)).toContain(date(time));
  expect(exactTime(time)).toContain(date(time));
});
