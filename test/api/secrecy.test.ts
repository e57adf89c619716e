/** Faults inside the service: the client gets no detail, and the log no secret. */

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeOnDatabases } from '../support/databases.js';
import { exchange, head } from '../support/raw-http.js';
import { errorOf, startTestService, type TestService } from '../support/service.js';

const CANARIES = {
  signingSecret: 'canary-signing-secret',
  mailPassword: 'canary-mail-password',
  cookie: 'canary-cookie',
  query: 'canary-query',
  header: 'canary-header',
  idempotencyKey: 'canary-idempotency-key',
  data: 'canary-data',
  filename: 'canary-filename',
  malformedKey: 'qrp_canarycanarycanarycanarycanarycanary00',
};
const SECRETS = [CANARIES.signingSecret];
const MAIL = { smtpUrl: `smtp://user:${CANARIES.mailPassword}@127.0.0.1:1`, from: 'qrpress <qr@example.org>' };

/** A table whose absence breaks a request on its way. */
const TABLES = ['api_keys', 'organisations', 'idempotency_records', 'jobs', 'chunks', 'ledger_entries'] as const;

describeOnDatabases('a fault', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind, { secrets: SECRETS, mail: MAIL });
  });
  afterAll(() => service.close());

  const post = () =>
    service.fetch(`/api/v1/jobs?token=${CANARIES.query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: `session=${CANARIES.cookie}`,
        'x-secret': CANARIES.header,
        'idempotency-key': CANARIES.idempotencyKey,
      },
      body: JSON.stringify({ items: [{ data: CANARIES.data, filename: CANARIES.filename }], sendEmail: true }),
    });

  it.each(TABLES)(
    'in %s is answered without detail, and logged once, with its stack',
    { tags: ['errors/server'] },
    async (table) => {
      const { database } = service.admin;
      const before = service.log.length;
      await sql`alter table ${sql.table(table)} rename to broken`.execute(database);
      let response: Response;
      try {
        response = await post();
      } finally {
        await sql`alter table broken rename to ${sql.table(table)}`.execute(database);
      }
      expect(response.status).toBe(500);
      expect(await errorOf(response)).toEqual({
        error: 'internal_error',
        message: 'The request could not be answered; the fault is not yours.',
        requestId: response.headers.get('x-request-id'),
      });
      const errors = service.log.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>);
      // The deletion of what has expired, which runs since the start, may fail on the table too.
      expect(errors.filter(({ level, requestId }) => level === 'error' && requestId !== undefined)).toEqual([
        expect.objectContaining({
          msg: 'request failed',
          requestId: response.headers.get('x-request-id'),
          err: {
            type: expect.any(String),
            message: expect.stringContaining(table),
            stack: expect.stringContaining('\n    at '),
            code: expect.any(String),
          },
        }),
      ]);
    },
  );

  it('shows no secret in the log, and none was there at any time', { tags: ['http/secrecy'] }, async () => {
    const created = await post();
    expect(created.status).toBe(202);
    const { jobId, statusUrl, downloadUrl } = (await created.json()) as Record<string, string>;
    await service.ended(jobId ?? '');
    for (const url of [statusUrl, downloadUrl, `${downloadUrl}x`, `/api/v1/credits?key=${service.key}`]) {
      await (await fetch(service.url + url)).arrayBuffer();
    }
    for (const authorization of [`Bearer ${CANARIES.malformedKey}`, `Basic ${CANARIES.malformedKey}`]) {
      await service.fetch('/api/v1/credits', { headers: { authorization } });
    }
    await exchange(service.url, `GET /?${CANARIES.query} HTTP/3\r\nAuthorization: Bearer ${service.key}\r\n\r\n`);
    // The mail cannot be delivered, and the log says so.
    await vi.waitFor(() => expect(service.log.join('')).toContain('mail: delivery failed'), { timeout: 20_000 });
    const log = service.log.join('');
    const [signatures, hidden] = [[statusUrl, downloadUrl].map((url) => url?.split('&t=')[1] ?? ''), [service.key]];
    for (const secret of [...Object.values(CANARIES), ...signatures, ...hidden, 'owner@example.org']) {
      expect(secret).not.toBe('');
      expect(log).not.toContain(secret);
    }
    expect(log).not.toMatch(/insert into|select .* from/i);
  });

  it('shows no token, signature or key of a path, whatever was added to it or encoded', async () => {
    const token = 'canaryTOKEN-'.repeat(4).slice(0, 43);
    const links = ['sign-up', 'reset', 'address', 'invitation', 'operator'].map((page) => `/account/${page}/`);
    const encoded = (text: string) => text.replace('T', '%54').replace('K', '%254b');
    const paths = [
      ...links.flatMap((link) =>
        [token, `${token}.`, `${token}%20`, encoded(token), token.slice(0, 30)].map((end) => link + end),
      ),
      `/account/%72eset/${encoded(token)}`,
      `//account//Reset/${token})`,
      ...['%3F', ';', '%253f', '/status%3F'].map((mark) => `/d/abcdefghijklmnopqrstuv${mark}exp=1&t=${token}`),
      ...[CANARIES.malformedKey, 'qrp%5Fcanary', 'whsec%5fcanary'].map((key) => `/api/v1/jobs/${key}`),
    ];
    const before = service.log.length;
    for (const path of paths) {
      await exchange(service.url, head(`GET ${path} HTTP/1.1`, 'Connection: close'));
    }
    const lines = () => service.log.slice(before).filter((line) => line.includes('"path"'));
    await vi.waitFor(() => expect(lines()).toHaveLength(paths.length), { timeout: 20_000 });
    expect(lines().filter((line) => /canary/i.test(decodeURIComponent(line)) || line.includes('%'))).toEqual([]);
    expect(lines().at(-4)).toContain('"path":"/d/abcdefghijklmnopqrstuv…"');
  });

  it('cannot be made to look like another line of the log', async () => {
    const before = service.log.length;
    const forged = '%0a{"level":"fatal","msg":"forged"}';
    await exchange(service.url, head(`GET /${forged} HTTP/1.1`, 'X-Request-Id: forged', 'X-Forwarded-For: 192.0.2.9'));
    // Beside the line of the request, the log warns of a proxy that is not named.
    const lines = () => service.log.slice(before).filter((each) => !each.startsWith('{"level":"warn"'));
    await vi.waitFor(() => expect(lines().length).toBeGreaterThan(0), { timeout: 20_000 });
    const [line, ...others] = lines();
    expect(others).toEqual([]);
    expect(line?.trimEnd()).not.toContain('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({
      level: 'info',
      client: '127.0.0.1',
      requestId: expect.stringMatching(/^[\w-]{16}$/),
    });
  });
});
