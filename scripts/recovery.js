/**
 * Runs the set-up and the recovery tests: `npm run recovery -- --kills 1000 --soak 60`. `--kills`: random kills; a fortieth of
 * that number happens at each failpoint. The disk also fails at each write. `--soak`: minutes of mixed load. `--disk`: runs the
 * test of the disk alone.
 */

import './setup.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { kills, soak, disk } = requested();
const tests = disk ? 'test/recovery/disk.test.ts' : 'test/recovery';
const vitest = spawn(process.execPath, [join('node_modules', 'vitest', 'vitest.mjs'), 'run', tests], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: {
    ...process.env,
    QRPRESS_TEST_KILLS: kills,
    QRPRESS_TEST_DISK_STRIDE: '1',
    ...(soak !== '0' && { QRPRESS_TEST_SOAK_MINUTES: soak }),
  },
  stdio: 'inherit',
});
[process.exitCode] = await once(vitest, 'exit');

function requested() {
  try {
    const { values } = parseArgs({
      options: {
        kills: { type: 'string', default: '1000' },
        soak: { type: 'string', default: '0' },
        disk: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    console.error(`${error.message}: npm run recovery -- [--kills N] [--soak MINUTES] [--disk]`);
    return process.exit(2);
  }
}
