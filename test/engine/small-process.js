/** The engine's process, which may take hardly more memory than it has once it is loaded. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Memory for messages and small tasks. */
const MORE_BYTES = 12_000_000;

await import('../../dist/engine/engine-process.js');
const [, kilobytes] = /^VmSize:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
execFileSync('/usr/bin/prlimit', ['--pid', String(process.pid), `--as=${Number(kilobytes) * 1_024 + MORE_BYTES}`]);
