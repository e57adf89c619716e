/** The real service for a test: its own port, data folder and database, an organisation with credits, and a key. */

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMAND_LINE } from '../../src/accounts/actor.js';
import { type Config, readConfig } from '../../src/config/config.js';
import type { ErrorBody, JobCreated, JobResource } from '../../src/contract/response-schema.js';
import { createLog } from '../../src/platform/log.js';
import type { Mail } from '../../src/outbox/mail-store.js';
import { createService, type Service, type ServiceOptions } from '../../src/composition/service.js';
import type { DatabaseKind } from './databases.js';

/** A body that `fetch` sends. */
type Body = NonNullable<RequestInit['body']>;

export interface Account {
  organisationId: string;
  keyId: string;
  key: string;
}

export interface TestService extends Account {
  url: string;
  config: Config;
  admin: Service['admin'];
  /** Lines of the log so far. */
  log: string[];
  /** Delivered mails that `nextMail` has not returned. */
  mails: Mail[];
  /** Removes and returns the oldest mail to an address. Waits until one is delivered. */
  nextMail: (recipient: string) => Promise<Mail>;
  /** Creates another organisation with a key. */
  createAccount: (credits: number) => Promise<Account>;
  /** Sends a request, with the first account's key unless `init` sets another. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** Posts a body. Objects are sent as JSON. */
  post: (body: Body | object, headers?: Record<string, string>) => Promise<Response>;
  /** Posts a job that is accepted. */
  submit: (body: Body | object, headers?: Record<string, string>) => Promise<JobCreated>;
  /** Resolves with the job once it has ended. */
  ended: (jobId: string) => Promise<JobResource>;
  balance: () => Promise<number>;
  /** Names of all files of drafts and jobs. */
  files: () => Promise<string[]>;
  /** Stops the service as a signal would, and keeps its data. */
  stop: () => Promise<void>;
  /** Stops the service and removes its data. */
  close: () => Promise<void>;
}

const CREDITS = 100_000;

/** Settings of the tests: practically no rate limits, unless `settings` set them. */
export async function startTestService(
  kind: DatabaseKind,
  settings: Partial<Config> = {},
  options: ServiceOptions = {},
): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'qrpress-service-'));
  const database = await kind.prepare();
  const config: Config = {
    ...readConfig({}),
    port: 0,
    dataDir,
    databaseUrl: database.url,
    rateLimits: { create: 1_000_000, read: 1_000_000 },
    renderThreads: 1,
    ...settings,
  };
  const log: string[] = [];
  const ended = new Set<string>();
  const waiting = new Map<string, () => void>();
  const mails: Mail[] = [];
  let onMail = () => {};
  const service = await createService(config, {
    ...options,
    log: createLog('debug', { write: (line) => void log.push(line) }),
    onJobEnded: (jobId) => {
      ended.add(jobId);
      waiting.get(jobId)?.();
    },
    onMailDelivered: (mail) => {
      mails.push(mail);
      onMail();
    },
  });
  const url = `http://127.0.0.1:${await service.listen()}`;
  const { admin } = service;
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= service.close());

  const createAccount = async (credits: number): Promise<Account> => {
    const organisationId = await admin.organisations.create({
      name: 'Example',
      ownerEmail: 'owner@example.org',
      credits,
    });
    return { organisationId, ...(await admin.keys.create(COMMAND_LINE, organisationId, 'test')) };
  };
  const account = await createAccount(CREDITS);

  const request: TestService['fetch'] = (path, init = {}) =>
    fetch(new URL(path, url), {
      ...init,
      headers: { authorization: `Bearer ${account.key}`, ...init.headers },
    });
  const post: TestService['post'] = (body, headers = { 'content-type': 'application/json' }) =>
    request('/api/v1/jobs', {
      method: 'POST',
      headers,
      body: isBody(body) ? body : JSON.stringify(body),
    });

  return {
    ...account,
    url,
    config,
    admin,
    log,
    mails,
    nextMail: async (recipient) => {
      for (;;) {
        const index = mails.findIndex((mail) => mail.recipient === recipient);
        if (index !== -1) {
          return mails.splice(index, 1)[0] as Mail;
        }
        await new Promise<void>((resolve) => {
          onMail = resolve;
        });
      }
    },
    createAccount,
    fetch: request,
    post,
    submit: async (body, headers) => {
      const response = await post(body, headers);
      if (response.status !== 202) {
        throw new Error(`the job was refused: ${response.status} ${await response.text()}`);
      }
      return (await response.json()) as JobCreated;
    },
    ended: async (jobId) => {
      if (!ended.has(jobId)) {
        await new Promise<void>((resolve) => {
          waiting.set(jobId, resolve);
        });
      }
      return (await (await request(`/api/v1/jobs/${jobId}`)).json()) as JobResource;
    },
    balance: () => admin.ledger.balance(account.organisationId),
    files: async () =>
      (await Promise.all(['storage/jobs', 'work'].map((name) => filesBelow(join(dataDir, name))))).flat(),
    stop,
    close: async () => {
      await stop();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The error object of a refusal. */
export async function errorOf(response: Response): Promise<ErrorBody & Record<string, unknown>> {
  return (await response.json()) as ErrorBody & Record<string, unknown>;
}

/** An NDJSON body and its header. */
export function ndjson(...lines: (object | string)[]): [string, Record<string, string>] {
  const body = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  return [body, { 'content-type': 'application/x-ndjson' }];
}

function isBody(body: Body | object): body is Body {
  return typeof body === 'string' || ArrayBuffer.isView(body) || body instanceof ReadableStream;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.lock')).map(({ name }) => name);
}
