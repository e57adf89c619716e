/** The service in processes of its own, for the demo and the benchmarks. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/**
 * A service with an organisation and a key.
 * @param {{credits: number, parent?: string, environment?: Record<string, string>}} options `parent`: the folder that the data
 *   folder is made in
 * @returns {Promise<{url: string, key: string, pid: number, dataDir: string, stop: () => Promise<void>}>}
 */
export async function startService({ credits, parent = tmpdir(), environment = {} }) {
  const dataDir = mkdtempSync(join(parent, 'qrpress-'));
  const process = await startProcess({ dataDir, environment });
  return {
    ...process,
    key: createKey(process.env, credits),
    async stop() {
      await process.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * One process of a service, in the data folder that is given.
 * @param {{dataDir: string, environment?: Record<string, string>, role?: 'all' | 'api' | 'worker', launcher?: string[]}} options
 *   `launcher`: words before the program's own, such as `taskset -c 0`, that end by becoming it
 */
export async function startProcess({ dataDir, environment = {}, role = 'all', launcher = [] }) {
  const port = await freePort();
  const env = {
    ...withoutSettings(process.env),
    QRPRESS_DATA_DIR: dataDir,
    QRPRESS_PORT: String(port),
    QRPRESS_LOG_LEVEL: 'warn',
    ...environment,
  };
  const [program, ...words] = [...launcher, process.execPath, MAIN, 'serve', '--role', role];
  const child = spawn(program, words, { env, stdio: ['ignore', 'inherit', 'pipe'] });
  // The first steps that it tells are not for a service that ends in a moment; why it failed, if it does, is.
  let said = '';
  child.stderr.on('data', (data) => (said += data));
  child.on('close', (code) => {
    if (code !== 0) process.stderr.write(said);
  });
  const url = `http://127.0.0.1:${port}`;
  await ready(url, child);
  return {
    url,
    env,
    pid: child.pid,
    dataDir,
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** The key of a new organisation, made in the database that `env` names. */
export function createKey(env, credits) {
  const admin = (...words) =>
    JSON.parse(
      execFileSync(process.execPath, [MAIN, 'admin', ...words, '--json'], { env, encoding: 'utf8', stdio: 'pipe' }),
    );
  const organisation = ['--name', 'Example', '--owner', 'owner@example.org', '--credits', String(credits)];
  const { organisationId } = admin('create-organisation', ...organisation);
  return admin('create-key', '--organisation', organisationId, '--name', 'example').key;
}

/** A port that nobody listens on. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function ready(url, child) {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode} before it was ready`);
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The environment without settings of the service, so that those of the caller's shell stay out. */
function withoutSettings(environment) {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('QRPRESS_')));
}
