/** Starts the service in its own processes, for the demo and the benchmarks. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/**
 * Starts a service with an organisation and a key.
 * @param {{credits: number, parent?: string, environment?: Record<string, string>, main?: string}} options `parent`: the folder in
 *   which the data folder is created; `main`: the program, by default that of this clone
 * @returns {Promise<{url: string, key: string, pid: number, dataDir: string, stop: () => Promise<void>}>}
 */
export async function startService({ credits, parent = tmpdir(), environment = {}, main = MAIN }) {
  const dataDir = mkdtempSync(join(parent, 'qrpress-'));
  const process = await startProcess({ dataDir, environment, main });
  return {
    ...process,
    key: createKey(process.env, credits, main),
    async stop() {
      await process.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Starts one process of a service in a given data folder.
 * @param {{dataDir: string, environment?: Record<string, string>, role?: 'all' | 'api' | 'worker', launcher?: string[], main?: string}} options
 *   `launcher`: a command before the program, such as `taskset -c 0`, that replaces itself by the program
 */
export async function startProcess({ dataDir, environment = {}, role = 'all', launcher = [], main = MAIN }) {
  const port = await freePort();
  const env = {
    ...withoutSettings(process.env),
    QRPRESS_DATA_DIR: dataDir,
    QRPRESS_PORT: String(port),
    QRPRESS_LOG_LEVEL: 'warn',
    ...environment,
  };
  const [program, ...words] = [...launcher, process.execPath, main, 'serve', '--role', role];
  const child = spawn(program, words, { env, stdio: ['ignore', 'inherit', 'pipe'] });
  // Hides the hints of a first start. The reason of a failure is still shown.
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

/** Creates an organisation in the database of `env`, and returns a key. */
export function createKey(env, credits, main = MAIN) {
  const admin = (...words) =>
    JSON.parse(
      execFileSync(process.execPath, [main, 'admin', ...words, '--json'], { env, encoding: 'utf8', stdio: 'pipe' }),
    );
  const organisation = ['--name', 'Example', '--owner', 'owner@example.org', '--credits', String(credits)];
  const { organisationId } = admin('create-organisation', ...organisation);
  return admin('create-key', '--organisation', organisationId, '--name', 'example').key;
}

/** A free port. */
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

/** The environment without settings of the service: those of the caller's shell must not take effect. */
function withoutSettings(environment) {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('QRPRESS_')));
}
