/** A MariaDB of one test, with settings of its own. It keeps its log in memory: nothing has to survive it. */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { DatabaseUrl } from '../../src/database/connection.js';
import { describeUnless } from './describe-unless.js';
import { freePort } from './free-port.js';

const absent =
  spawnSync('mariadbd', ['--version']).status === 0 && spawnSync('mariadb-install-db', ['--help']).error === undefined
    ? undefined
    : 'mariadbd is not installed';

/** Runs a suite that starts its own servers. */
export function describeWithOwnMariadb(name: string, suite: () => void): void {
  describeUnless(absent, name, suite);
}

/** Runs the server with these options until `stop`. The user `root` needs no password; the database is `qrpress`. */
export async function startMariadb(
  options: readonly string[],
): Promise<{ url: DatabaseUrl; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'qrpress-mariadb-'));
  const data = join(folder, 'data');
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  const common = ['--no-defaults', `--datadir=${data}`, ...user];
  execFileSync(
    'mariadb-install-db',
    [...common, '--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve'],
    { stdio: 'ignore' },
  );
  const port = await freePort();
  const server = spawn(
    'mariadbd',
    [
      ...common,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(folder, 'socket')}`,
      '--skip-name-resolve',
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-buffer-pool-size=32M',
      ...options,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const lines: string[] = [];
  for await (const line of createInterface(server.stderr)) {
    lines.push(line);
    if (line.includes('ready for connections')) {
      server.stderr.resume();
      return {
        url: `mysql://root@127.0.0.1:${port}/qrpress`,
        stop: async () => {
          const exit = once(server, 'exit');
          server.kill('SIGKILL');
          await exit;
          await rm(folder, { recursive: true });
        },
      };
    }
  }
  throw new Error(`mariadbd ended before it was ready:\n${lines.join('\n')}`);
}
