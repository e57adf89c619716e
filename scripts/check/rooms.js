/**
 * Checks the table of rooms in ARCHITECTURE.md against the rules in the linter's configuration, which alone decide. Also checks
 * that SQL is written only where those rules see it: in `src/database` and in `*-store.ts`.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOMS } from '../../oxlint.config.js';
import { ROOT } from './output.js';

const ROW = /^\| (?<names>`src\/[^|]*) \|[^|]*\| (?<uses>[^|]*) \|$/gm;
const FOLDER = /`src\/(?<name>[a-z]+)\/`/g;

const QUERY = /\.(?:selectFrom|insertInto|replaceInto|updateTable|deleteFrom)\(/;

/** Rooms without a row, and rows that differ from the rules, one per line. */
export function rooms() {
  const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const told = new Map(
    [...page.matchAll(ROW)].flatMap(({ groups: { names, uses } }) =>
      [...names.matchAll(FOLDER)].map(({ groups: { name } }) => [name, uses]),
    ),
  );
  const complaints = Object.entries(ROOMS).map(([name, allowed]) => {
    const rule = allowed.toSorted((one, other) => one.localeCompare(other)).join(', ') || '–';
    if (!told.has(name)) return `ARCHITECTURE.md: the table of rooms has no row for src/${name}`;
    const uses = told.get(name);
    return uses === rule ? '' : `ARCHITECTURE.md: src/${name} may use "${rule}", the table says "${uses}"`;
  });
  const unknown = [...told.keys()].filter((name) => !(name in ROOMS));
  const strangers = unknown.map((name) => `ARCHITECTURE.md: there is no room src/${name}`);
  return [...complaints, ...strangers, ...strayQueries()].filter((complaint) => complaint !== '').join('\n');
}

/** Files that query the database but are not stores, one per line. */
function strayQueries() {
  return readdirSync(join(ROOT, 'src'), { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('-store.ts') && !name.startsWith('database/'))
    .filter((name) => QUERY.test(readFileSync(join(ROOT, 'src', name), 'utf8')))
    .map((name) => `src/${name} queries the database; a file that does is named *-store.ts`);
}
