/** A process of the engine that was taken over, and sends what the engine never sends: that is its death, and nobody else's. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EngineCrash, EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { textOf } from './carried-text.js';

const PROGRAM = fileURLToPath(new URL('hostile-process.js', import.meta.url));

/** Names of the attacks, as the program has them. */
const ATTACKS = [...readFileSync(PROGRAM, 'utf8').matchAll(/^ {2}(?:'([^']+)'|(\w+)): \([\w]*\) =>/gm)].map(
  ([, quoted, plain]) => (quoted ?? plain) as string,
);

let supervisor: EngineSupervisor;
let crashes: EngineCrash[];
let lines: string[];
beforeEach(() => {
  [crashes, lines] = [[], []];
  supervisor = new EngineSupervisor({
    threads: 1,
    chunkItems: 10,
    program: PROGRAM,
    onCrash: (crash) => crashes.push(crash),
    onErrorLine: (line) => lines.push(line),
  });
});
afterEach(() => supervisor.close());

const check = (bodyPath: string) => supervisor.check({ bodyPath, form: 'json', spoolPath: '/nowhere/spool' });

test('there are attacks', () => expect(ATTACKS).toHaveLength(23));

test.each(ATTACKS)('%s is its death', async (attack) => {
  await expect(check(attack)).rejects.toMatchObject({
    code: 'crash',
    message: expect.stringContaining('a bad message') as string,
  });
  expect(crashes.map(({ death }) => death)).toEqual(['a bad message', 'a bad message']);
  expect(textOf(await check('next'))).toBe('next');
});

test('what it writes to its standard error comes as short lines without control characters', async () => {
  await check('error line: first');
  expect(textOf(await check('next'))).toBe('next');
  await expect.poll(() => lines).toHaveLength(2);
  const [first, second] = lines;
  expect(first).toMatch(/^first \[2J\s+x+$/);
  expect(first?.length).toBeLessThanOrEqual(500);
  expect(second).toBe('second');
});
