/** Benchmarks, which nothing else runs from one release to the next: the short ones run, and the sweep names the crates that it uses. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, run } from './tool.js';

it.each([
  ['labels', '--items', '200'],
  ['million', '--items', '200'],
  ['http', '--seconds', '1', '--only', 'backlog', '--backlog', '10'],
])('%s runs', { timeout: 120_000 }, (...words) => {
  const { status, said } = run(process.execPath, ['scripts/bench.js', ...words]);
  expect(status, said).toBe(0);
});

it('sweep builds its program with the crates of another commit that it uses', () => {
  const read = (name: string) => readFileSync(join(ROOT, 'bench', name), 'utf8');
  const names = (text: string, name: RegExp) => [...text.matchAll(name)].map(([, crate]) => crate);
  const used = names(read('sweep/Cargo.toml'), /^qrpress-(\w+)\.workspace/gm);
  expect(used).not.toHaveLength(0);
  expect(names(read('sweep.js'), /\bcrate\('(\w+)'\)/g)).toEqual(used);
});
