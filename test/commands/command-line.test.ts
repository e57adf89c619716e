import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const POSTERS = fileURLToPath(new URL('../../examples/posters.json', import.meta.url));

describe('the command line', () => {
  let folder: string;
  let running: ChildProcess | undefined;
  /** Stands for whatever else has the port; counts its requests. */
  let other: Server;
  let port: number;
  let requests: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qrpress-command-'));
    requests = 0;
    other = createServer((_, response) => {
      requests += 1;
      response.writeHead(500).end();
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    ({ port } = other.address() as AddressInfo);
  });
  afterEach(async () => {
    running?.kill('SIGKILL');
    other.close();
    await rm(folder, { recursive: true });
  });

  /** Runs the program to its end. */
  async function run(...words: string[]): Promise<{ code: number; errors: string }> {
    const child = spawn(process.execPath, [MAIN, ...words], {
      env: { PATH: process.env['PATH'], QRPRESS_DATA_DIR: folder, QRPRESS_PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    running = child;
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return { code: code as number, errors };
  }

  it('says what a role needs to share its work', async () => {
    const { code, errors } = await run('serve', '--role', 'worker');
    expect(code).toBe(1);
    expect(errors).toContain('QRPRESS_REDIS_URL: --role worker needs it');
    expect((await run('serve', '--role', 'chef')).code).toBe(2);
  });

  it('ends serve with 1 where the port is taken', async () => {
    const { code, errors } = await run('serve');
    expect(code).toBe(1);
    expect(errors).toContain('EADDRINUSE');
  });

  it('posts nothing where the archive could not be written', async () => {
    const out = join(folder, 'absent', 'codes.zip');
    const { code, errors } = await run(
      'submit',
      POSTERS,
      '--url',
      `http://127.0.0.1:${port}`,
      '--key',
      'k',
      '--out',
      out,
    );
    expect({ code, requests }).toEqual({ code: 1, requests: 0 });
    expect(errors).toContain(join(folder, 'absent'));
  });

  it('takes a URL without a scheme for a wrong argument', async () => {
    const { code, errors } = await run(
      'submit',
      POSTERS,
      '--url',
      `localhost:${port}`,
      '--key',
      'k',
      '--out',
      'codes.zip',
    );
    expect(code).toBe(2);
    expect(errors).toContain('expected a URL');
  });
});
