/** The service on a disk that fails as a test says, in a process of its own. */

import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, type FileHandle, readFile, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import type { AdminContext } from '../../src/cli/administer.js';
import { openAdminContext } from '../../src/composition/admin-context.js';
import { readConfig } from '../../src/config/config.js';
import { environmentOf } from './environment.js';

const folderOfThis = fileURLToPath(new URL('disk/', import.meta.url));

/** Tests are skipped where the library of the faulty disk cannot be built or loaded. */
export const canFail = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0;

export const CREDITS = 10_000_000;

/** A 64-bit number in the control file that means that no write fails. */
const NEVER = 2n ** 64n - 1n;

interface Faults {
  /** The first write that fails, counted from the start of the service. Default: none. */
  firstFailing?: bigint;
  error?: number;
  /** Time that each write takes longer. */
  delayUs?: number;
}

interface SyncFaults {
  /** Number of syncs that fail. */
  failing?: number;
  /** End of the paths of which syncs fail. */
  suffix?: string;
  /** Number of such syncs that succeed before. */
  sound?: number;
  /** Time that each sync takes longer. */
  delayUs?: number;
}

/** A sync of a file or folder of the service. */
interface Sync {
  outcome: 'synced' | 'failed';
  thread: 'main' | 'other';
  /** Relative to the data folder. */
  path: string;
}

export class FaultyService implements AsyncDisposable {
  readonly folder: string;
  readonly dataDir: string;
  readonly admin: AdminContext;
  readonly organisationId: string;
  readonly child: ChildProcess;
  readonly origin: string;
  readonly #control: FileHandle;
  readonly #headers: Record<string, string>;

  private constructor(
    parts: Pick<FaultyService, 'folder' | 'dataDir' | 'admin' | 'organisationId' | 'child' | 'origin'>,
    control: FileHandle,
    key: string,
  ) {
    ({
      folder: this.folder,
      dataDir: this.dataDir,
      admin: this.admin,
      organisationId: this.organisationId,
      child: this.child,
      origin: this.origin,
    } = parts);
    this.#control = control;
    this.#headers = { authorization: `Bearer ${key}` };
  }

  /** A service with an organisation and a key; its disk is sound. */
  static async start(): Promise<FaultyService> {
    const folder = await mkdtemp(join(tmpdir(), 'qrpress-disk-'));
    const library = join(folder, 'faulty-disk.so');
    const source = join(folderOfThis, 'faulty-disk.c');
    const built = spawnSync('cc', ['-O1', '-shared', '-fPIC', '-o', library, source, '-ldl']);
    expect(built.stderr.toString()).toBe('');
    const control = await open(join(folder, 'control'), 'w+');
    await fail(control, {});
    const dataDir = join(folder, 'data');
    const environment = environmentOf(dataDir);
    const admin = await openAdminContext(readConfig(environment));
    const owner = { name: 'A', ownerEmail: 'a@example.org', credits: CREDITS };
    const organisationId = await admin.organisations.create(owner);
    const { key } = await admin.keys.create(COMMAND_LINE, organisationId, 'test');
    const child = fork(join(folderOfThis, 'service.js'), ['none'], {
      env: {
        PATH: process.env['PATH'],
        LD_PRELOAD: library,
        FAULTY_DISK: dataDir,
        FAULTY_DISK_CONTROL: join(folder, 'control'),
        ...environment,
      },
    });
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    const origin = `http://127.0.0.1:${port}`;
    return new FaultyService({ folder, dataDir, admin, organisationId, child, origin }, control, key);
  }

  /** Sets how writes fail from now on. */
  fail(faults: Faults): Promise<void> {
    return fail(this.#control, faults);
  }

  /** Sets how syncs fail from now on. */
  async failSyncs({ failing = 0, suffix = '', sound = 0, delayUs = 0 }: SyncFaults): Promise<void> {
    const numbers = Buffer.alloc(16 + 64 + 8);
    numbers.writeBigUInt64LE(BigInt(failing));
    numbers.writeBigUInt64LE(BigInt(delayUs), 8);
    numbers.write(suffix, 16);
    numbers.writeBigUInt64LE(BigInt(sound), 16 + 64);
    await this.#control.write(numbers, 0, numbers.length, 32);
  }

  /** Writes so far. */
  async steps(): Promise<bigint> {
    return (await this.#control.read(Buffer.alloc(8), 0, 8, 0)).buffer.readBigUInt64LE();
  }

  /** Syncs so far, in their order. */
  async syncs(): Promise<Sync[]> {
    const lines = (await readFile(join(this.folder, 'control.syncs'), 'utf8')).split('\n').slice(0, -1);
    return lines.map((line) => {
      const [, outcome, thread, path = ''] = /^(\w+) (\w+) (.*)$/.exec(line) ?? [];
      return { outcome, thread, path: path.slice(this.dataDir.length + 1) } as Sync;
    });
  }

  get(path: string): Promise<Response> {
    return fetch(this.origin + path, { headers: this.#headers });
  }

  post(body: string, type: string, key?: string): Promise<Response> {
    const headers = { ...this.#headers, 'content-type': type, ...(key !== undefined && { 'idempotency-key': key }) };
    return fetch(`${this.origin}/api/v1/jobs`, { method: 'POST', headers, body });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.admin.close();
    await this.#control.close();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function fail(control: FileHandle, { firstFailing = NEVER, error, delayUs = 0 }: Faults): Promise<void> {
  const numbers = BigUint64Array.of(firstFailing, BigInt(error ?? constants.errno.ENOSPC), BigInt(delayUs));
  await control.write(new Uint8Array(numbers.buffer), 0, numbers.byteLength, 8);
}
