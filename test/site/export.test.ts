/** The export of an organisation while its database fails. */

import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { type Exported, exportArchive } from '../../src/site/organisation/export.js';
import { csvLine } from '../../src/site/shell/csv.js';

it('breaks off where the database fails, and leaves no rejection unhandled', async () => {
  const failure = new Error('the database is away');
  const fails = () => Promise.reject(failure);
  async function* failsLater(): AsyncGenerator<never[]> {
    // All other tables were asked for by now.
    await new Promise((resolve) => setImmediate(resolve));
    yield await fails();
  }
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  try {
    const needs = {
      ledgerReports: { all: failsLater },
      jobList: { all: failsLater },
      memberships: { members: fails },
      keys: { list: fails },
      database: {
        selectFrom: () => {
          throw failure;
        },
      },
    } as unknown as Exported;
    await expect(buffer(exportArchive(needs, 'o'))).rejects.toThrow(failure);
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', note);
  }
  expect(unhandled).toEqual([]);
});

it('marks formulas as text, also behind separators of other countries', () => {
  expect(csvLine(['=1', 'a;=1', 'a\t+1', 'a;b', 'a-b', -1])).toBe("'=1,a;'=1,a\t'+1,a;b,a-b,-1\r\n");
  // Spreadsheets that split lines at semicolons take the quotes of a second cell for text, and its line ends for ends of lines.
  expect(csvLine(['', 'a\n=1;b', '\t=1', 'a\r\n\r\nb'])).toBe(`,"a\n'=1;b",'\t'=1,"a\r\n\r\nb"\r\n`);
});
