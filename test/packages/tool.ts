/** Programs that look over what is deployed, where they are installed. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The path of `name`: where `node scripts/install/package-tools.js` puts it, or else on the `PATH`. */
function toolPath(name: string): string | undefined {
  const folders = [join(ROOT, '.tools', name, 'bin'), ...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** A test with a program; skipped where that is absent, or failed when `QRPRESS_REQUIRE_ALL=1` and it is not `optional`. */
export function itWith(
  name: string,
  title: string,
  body: (path: string) => void | Promise<void>,
  { optional = false, timeout = 60_000 } = {},
): void {
  const path = toolPath(name);
  if (path === undefined && (optional || process.env['QRPRESS_REQUIRE_ALL'] !== '1')) {
    test.skip(`${title}: ${name} is missing`, () => undefined);
    return;
  }
  test(
    title,
    async () => {
      if (path === undefined) throw new Error(`${name} is missing: see CONTRIBUTING.md`);
      await body(path);
    },
    timeout,
  );
}

/** Runs a program at the root; what it said, and its exit code. */
export function run(path: string, words: string[], options: { input?: string; env?: Record<string, string> } = {}) {
  const { status, stdout, stderr } = spawnSync(path, words, {
    cwd: ROOT,
    encoding: 'utf8',
    input: options.input,
    env: { ...process.env, ...options.env },
  });
  return { status, stdout, said: `${stdout}${stderr}` };
}
