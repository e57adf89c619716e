/** Attempts of hostile input that has taken over the engine's process. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineCrash, EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { sqlite } from '../support/databases.js';
import { startTestService } from '../support/service.js';

const PROGRAM = fileURLToPath(new URL('confined-process.js', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'qrpress-confinement-'));
const [own, blobs] = [join(folder, 'own'), join(folder, 'blobs')];
const server = createServer((socket) => void socket.end());
let supervisor: EngineSupervisor;
beforeAll(async () => {
  for (const each of [own, blobs]) {
    mkdirSync(each);
    writeFileSync(join(each, 'file'), 'text');
  }
  writeFileSync(join(folder, 'secrets'), 'text');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const folders = { readable: [dirname(PROGRAM), blobs], writable: [own] };
  supervisor = new EngineSupervisor({ threads: 1, chunkItems: 10, program: PROGRAM, folders });
});
afterAll(async () => {
  await supervisor.close();
  server.close();
  rmSync(folder, { recursive: true });
});

const tried = (trial: string) => supervisor.check({ bodyPath: trial, form: 'json', spoolPath: join(own, 'spool') });
const port = () => (server.address() as { port: number }).port;

it.each([
  ['write', () => join(own, 'new'), 'done'],
  ['read', () => join(own, 'file'), 'done'],
  ['read', () => join(blobs, 'file'), 'done'],
  ['write', () => join(blobs, 'file'), 'EACCES'],
  ['read', () => join(folder, 'secrets'), 'EACCES'],
  ['readInThread', () => join(folder, 'secrets'), 'EACCES'],
  ['write', () => join(folder, 'new'), 'EACCES'],
  ['read', () => '/etc/passwd', 'EACCES'],
  ['read', () => `/proc/${process.pid}/environ`, 'EACCES'],
  ['connect', () => String(port()), 'EPERM'],
  ['connectToFile', () => '/run/docker.sock', 'EPERM'],
  ['listen', () => '', 'EPERM'],
  ['datagram', () => String(port()), 'EPERM'],
  ['run', () => process.execPath, 'EPERM'],
  ['signal', () => String(process.pid), 'EPERM'],
  ['environment', () => '', 'LD_PRELOAD,QRPRESS_ENGINE_PATHS'],
])('%s %o', async (trial, argument, outcome) => {
  expect(await tried(`${trial} ${argument()}`)).toBe(outcome);
});

it('holds in the service, whose log says nothing of it', async () => {
  const service = await startTestService(sqlite);
  await service.submit({ items: [{ data: 'a' }] });
  expect(service.log.join('')).not.toContain('confine');
  await service.close();
});

it('is given up for a system on which no confined process starts', async () => {
  const crashes: EngineCrash[] = [];
  // The program is in no folder that the process may read.
  const folders = { readable: [], writable: [own] };
  const onCrash = (crash: EngineCrash) => void crashes.push(crash);
  const other = new EngineSupervisor({ threads: 1, chunkItems: 10, program: PROGRAM, folders, onCrash });
  const environment = other.check({ bodyPath: 'environment', form: 'json', spoolPath: join(own, 'spool') });
  expect(await environment).toBe('');
  expect(crashes).toHaveLength(2);
  await other.close();
});
