/**
 * Checks the picture of the rooms in ARCHITECTURE.md against the floors in the linter's configuration, which decide. Also checks that SQL is written only where those rules see it: in `src/database` and in `*-store.ts`.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FLOORS } from '../../oxlint.config.js';
import { ROOT } from './output.js';

const PICTURE = /^## Rooms$.*?^```\n(?<floors>.*?)\n^```$/ms;

const QUERY = /\.(?:selectFrom|insertInto|replaceInto|updateTable|deleteFrom)\(/;

/** The floors where the picture differs from the rules, and queries outside the stores, one per line. */
export function rooms() {
  const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const drawn = PICTURE.exec(page)?.groups.floors.split('\n\n') ?? [];
  // A line that goes on begins with spaces.
  const floors = drawn.map((floor) => Array.from(floor.matchAll(/^[a-z]+/gm), ([room]) => room).join(' '));
  const expected = FLOORS.map((floor) => floor.join(' '));
  const picture =
    floors.join('\n') === expected.join('\n')
      ? []
      : [`ARCHITECTURE.md: the floors of the picture are to be\n${expected.join('\n')}`];
  return [...picture, ...strayQueries()].join('\n');
}

/** Files that query the database but are not stores, one per line. */
function strayQueries() {
  return readdirSync(join(ROOT, 'src'), { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('-store.ts') && !name.startsWith('database/'))
    .filter((name) => QUERY.test(readFileSync(join(ROOT, 'src', name), 'utf8')))
    .map((name) => `src/${name} queries the database; a file that does is named *-store.ts`);
}
