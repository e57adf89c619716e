/**
 * Checks the picture and the table of rooms in ARCHITECTURE.md against the floors in the linter's configuration, which alone
 * decide. Also checks that SQL is written only where those rules see it: in `src/database` and in `*-store.ts`.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FLOORS } from '../../oxlint.config.js';
import { ROOT } from './output.js';

const PICTURE = /^## Rooms$.*?^```\n(?<lines>.*?)\n^```$/ms;
const ROW = /^\| (?<names>`src\/[^|]*) \|/gm;
const FOLDER = /`src\/(?<name>[a-z]+)\/`/g;

const QUERY = /\.(?:selectFrom|insertInto|replaceInto|updateTable|deleteFrom)\(/;

/** Rooms without a row, floors that differ from the rules, and queries outside the stores, one per line. */
export function rooms() {
  const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const expected = FLOORS.map((floor) => floor.join('   ')).join('\n');
  const drawn = PICTURE.exec(page)?.groups.lines;
  const picture = drawn === expected ? [] : [`ARCHITECTURE.md: the picture of the rooms is to be\n${expected}`];
  const names = FLOORS.flat();
  const told = [...page.matchAll(ROW)].flatMap(({ groups }) =>
    [...groups.names.matchAll(FOLDER)].map((match) => match.groups.name),
  );
  const missing = names
    .filter((name) => !told.includes(name))
    .map((name) => `ARCHITECTURE.md: the table of rooms has no row for src/${name}`);
  const strangers = told
    .filter((name) => !names.includes(name))
    .map((name) => `ARCHITECTURE.md: there is no room src/${name}`);
  return [...picture, ...missing, ...strangers, ...strayQueries()].join('\n');
}

/** Files that query the database but are not stores, one per line. */
function strayQueries() {
  return readdirSync(join(ROOT, 'src'), { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('-store.ts') && !name.startsWith('database/'))
    .filter((name) => QUERY.test(readFileSync(join(ROOT, 'src', name), 'utf8')))
    .map((name) => `src/${name} queries the database; a file that does is named *-store.ts`);
}
