/**
 * `npm run recovery -- --kills 1000`: set-up, then the tests of recovery with so many random kills, a fortieth of them at each
 * failpoint, and a disk that fails at each write. `--soak 60` is the minutes of mixed load. `--disk` runs the disk's test alone.
 */

import './setup.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    soak: { type: 'string', default: '0' },
    disk: { type: 'boolean', default: false },
  },
});
const tests = values.disk ? 'test/recovery/disk.test.ts' : 'test/recovery';
const vitest = spawn(process.execPath, [join('node_modules', 'vitest', 'vitest.mjs'), 'run', tests], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: {
    ...process.env,
    QRPRESS_TEST_KILLS: values.kills,
    QRPRESS_TEST_DISK_STRIDE: '1',
    ...(values.soak !== '0' && { QRPRESS_TEST_SOAK_MINUTES: values.soak }),
  },
  stdio: 'inherit',
});
[process.exitCode] = await once(vitest, 'exit');
