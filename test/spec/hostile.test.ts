/** Requests that mean harm: each is answered as it deserves, none with a 5xx, and nothing is left of them. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verify } from '../../src/cli/verify.js';
import { describeOnDatabases, sqlite } from '../support/databases.js';
import { exchange, type RawAnswer } from '../support/raw-http.js';
import { startTestService, type TestService } from '../support/service.js';
import type { Target } from './hostile/attack.js';
import { ENCODINGS } from './hostile/encodings.js';
import { HEADERS } from './hostile/headers.js';
import { JSON_BODIES } from './hostile/json-bodies.js';
import { NDJSON_BODIES } from './hostile/ndjson-bodies.js';
import { PATHS } from './hostile/paths.js';

/** Refused before a database is asked for more than the key, so they are tried on one. */
const BODIES = { JSON: JSON_BODIES, NDJSON: NDJSON_BODIES, encodings: ENCODINGS };
const REQUESTS = { headers: HEADERS, 'paths, keys and signatures': PATHS };

describeOnDatabases('hostile', (kind) => {
  let service: TestService;
  let target: Target;
  let balance: number;
  let files: string[];
  let usualMs: number;
  const attacks = kind === sqlite ? { ...BODIES, ...REQUESTS } : REQUESTS;
  beforeAll(async () => {
    service = await startTestService(kind);
    const stranger = await service.createAccount(1);
    const [own, strangers] = await Promise.all([
      service.submit({ items: [{ data: '1' }] }),
      service.submit({ items: [{ data: '1' }] }, { ...JSON_HEADERS, authorization: `Bearer ${stranger.key}` }),
    ]);
    target = { key: service.key, ...own, strangersJobId: strangers.jobId };
    await Promise.all([service.ended(own.jobId), service.ended(strangers.jobId)]);
    [balance, files] = [await service.balance(), (await service.files()).toSorted()];
    usualMs = await pollMs(service);
  });
  afterAll(() => service.close());

  describe.each(Object.entries(attacks))('%s', (_, list) => {
    it.each(list.map((attack) => [attack.name, attack] as const))(
      '%s',
      {
        tags: [
          '2.5/logo',
          '9/paths',
          'requests/meta-line',
          'requests/malformed-json',
          'requests/surrogates',
          'requests/content-types',
          'requests/content-encoding',
          'requests/ndjson',
          'errors/members',
          'signed-urls/spelling',
          'http/hostile',
        ],
      },
      async (_name, { request, outcome }) => {
        const answers = await exchange(service.url, request(target));
        expect(answers.map((answer) => outcomeOf(answer, outcome))).toEqual([outcome]);
        expect(answers[0]?.headers.get('x-request-id')).toMatch(/^[\w-]{16}$/);
        expect(answers[0]?.headers.get('x-content-type-options')).toBe('nosniff');
      },
    );
  });

  it('nothing is left of them: no file, no charge, no fault in the log, no harm to what is kept', {
    tags: ['http/hostile'],
  }, async () => {
    // A client that leaves in the middle of a body does not wait until the service has removed the file.
    await expect.poll(async () => (await service.files()).toSorted(), { timeout: 10_000 }).toEqual(files);
    expect(await service.balance()).toBe(balance);
    expect(await verify(service.admin)).toEqual([]);
    // One of them comes through a proxy that is not named.
    const told = service.log.filter((line) => /"level":"(warn|error|fatal)"/.test(line));
    expect(told.filter((line) => !line.includes('QRPRESS_TRUSTED_PROXIES does not name'))).toEqual([]);
    const { database } = service.admin;
    expect(await database.selectFrom('idempotency_records').selectAll().execute()).toEqual([]);
  });

  it('the service goes on as fast as before', async () => {
    expect(await pollMs(service)).toBeLessThan(10 * usualMs + 10);
    const { jobId } = await service.submit({ items: [{ data: '1' }] });
    expect(await service.ended(jobId)).toMatchObject({ status: 'complete', completed: 1 });
  });
});

const JSON_HEADERS = { 'content-type': 'application/json' };

/** The outcome of an attack in the form of `Attack.outcome`, with as many of its parts as `expected` has. */
function outcomeOf({ status, error, body }: RawAnswer, expected: string): string {
  const answered = [status, error].filter((part) => part !== undefined).join(' ');
  if (!expected.includes(': ')) {
    return answered;
  }
  const [issue] = (JSON.parse(body) as { issues?: { line?: number; path: string; code: string }[] }).issues ?? [];
  const place = issue?.line === undefined ? issue?.path : `${issue.line} ${issue.path}`;
  return `${answered}: ${place} ${issue?.code}`;
}

/** The least that twenty polls took, of five times. */
async function pollMs(service: TestService): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const started = performance.now();
    for (let poll = 0; poll < 20; poll += 1) {
      await (await service.fetch('/api/v1/credits')).arrayBuffer();
    }
    rounds.push(performance.now() - started);
  }
  return Math.min(...rounds);
}
