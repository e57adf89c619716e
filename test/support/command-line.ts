/** The command line in the process of the test: loading the program takes longer than most of its commands. */

import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { run } from '../../src/composition/program.js';

/** The program as a file, for tests of its standard input and output, of signals, and of its start. */
export const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

interface Surroundings {
  env?: Record<string, string>;
  /** The working folder. Default: that of the tests. */
  cwd?: string;
}

/** The command before: two at once would share the working folder and the environment of the process. */
let last: Promise<unknown> = Promise.resolve();

/** Runs a command to its end. Not for commands that write bytes to standard output or read standard input. */
export function qrpress(words: string[], surroundings: Surroundings = {}): Promise<Ended> {
  const ended = last.then(() => runHere(words, surroundings));
  last = ended.catch(() => {});
  return ended;
}

async function runHere(words: string[], { env = {}, cwd = process.cwd() }: Surroundings): Promise<Ended> {
  const output = { stdout: '', stderr: '' };
  const before = { cwd: process.cwd(), env: process.env, mask: process.umask() };
  const spies = [
    ...(['stdout', 'stderr'] as const).map((name) =>
      vi.spyOn(process[name], 'write').mockImplementation((text) => {
        output[name] += text.toString();
        return true;
      }),
    ),
    // Vitest has a console of its own, which does not write there.
    vi.spyOn(console, 'error').mockImplementation((text) => {
      output.stderr += `${text}\n`;
    }),
  ];
  process.chdir(cwd);
  process.env = { PATH: process.env['PATH'], ...env };
  try {
    await run(words);
    return { code: Number(process.exitCode ?? 0), ...output };
  } finally {
    process.exitCode = undefined;
    process.env = before.env;
    process.umask(before.mask);
    process.chdir(before.cwd);
    for (const spy of spies) spy.mockRestore();
  }
}
