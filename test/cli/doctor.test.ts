/** `doctor` blames what is amiss, and nothing else. */

import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { doctor, examineSurroundings } from '../../src/cli/doctor.js';
import { writeBackup } from '../../src/cli/backup.js';
import { administer } from '../../src/composition/administer.js';
import { readConfig } from '../../src/config/config.js';
import { MIGRATIONS, migrate } from '../../src/database/migrate.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qrpress-doctor-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Without the engine, whose process starts for each look: of these settings it has none. */
async function blamed(environment: Record<string, string>): Promise<string[]> {
  const findings = await examineSurroundings(
    readConfig({ QRPRESS_DATA_DIR: join(folder, 'data'), ...environment }),
    administer,
  );
  return findings.filter(({ ok }) => !ok).map(({ name }) => name);
}

test('nothing where nothing is amiss', async () => {
  const findings = await doctor(readConfig({ QRPRESS_DATA_DIR: join(folder, 'data') }), administer);
  expect(findings.filter(({ ok }) => !ok)).toEqual([]);
});

test('the database that does not answer, and not the storage', async () => {
  expect(await blamed({ QRPRESS_DATABASE_URL: 'mysql://root@127.0.0.1:1/absent' })).toEqual(['database']);
});

test('the server with what to do, once: by its own words where they say it', async () => {
  const environment = { QRPRESS_DATA_DIR: join(folder, 'data') };
  const detail = async (more: Record<string, string> = {}, part = 'database') => {
    const findings = await examineSurroundings(readConfig({ ...environment, ...more }), administer);
    return findings.find(({ name }) => name === part)?.detail;
  };
  const absent = { QRPRESS_DATABASE_URL: 'mysql://root@127.0.0.1:1/absent' };
  const refused = 'cannot connect to 127.0.0.1:1: connection refused; check';
  const remedy = 'and that its server runs and takes writes';
  expect(await detail(absent)).toBe(`${refused} QRPRESS_DATABASE_URL, ${remedy}`);
  expect(await detail({ QRPRESS_REDIS_URL: 'redis://127.0.0.1:1' }, 'redis')).toBe(
    `${refused} QRPRESS_REDIS_URL, ${remedy}`,
  );
  await administer(readConfig(environment), async () => undefined, {
    mayCreate: true,
    prepare: async (database) => {
      await migrate(database, { migrations: { ...MIGRATIONS, '9999-newer': { up: async () => undefined } } });
    },
  });
  expect(await detail()).toMatch(/^the database was migrated by a newer version .* into an empty database$/);
});

test.each([
  ['the database', { QRPRESS_DATABASE_URL: 'mysql://root@127.0.0.1:1/absent' }],
  ['the data folder', {}],
])('and still says what the settings alone decide where %s is out of order', async (what, environment) => {
  if (what === 'the data folder') await writeFile(join(folder, 'data'), '');
  const config = readConfig({ QRPRESS_DATA_DIR: join(folder, 'data'), ...environment });
  const names = (await doctor(config, administer)).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['address', 'mail', 'sign-up', 'engine', 'fonts']));
});

test('a data folder that the next installation of packages deletes', async () => {
  expect(await blamed({ QRPRESS_DATA_DIR: join(folder, 'node_modules', 'qrpress', 'data') })).toEqual([
    'configuration',
  ]);
});

test('the storage that cannot be written to, and not the database', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  expect(await blamed({ QRPRESS_STORAGE_URL: `file://${file}` })).toEqual(['storage']);
});

test('the proxy that calls go through, where nobody listens', async () => {
  expect(await blamed({ QRPRESS_PROXY_URL: 'http://user:secret@127.0.0.1:1' })).toEqual(['proxy']);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await blamed({ QRPRESS_PROXY_URL: `http://127.0.0.1:${port}` })).toEqual([]);
  server.close();
});

/** Starts a mail server until the end of the test. @returns its host and port */
async function mailServer(options: SMTPServerOptions): Promise<string> {
  const server = new SMTPServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true, ...options });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  return `127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}

test('the mail server that refuses the service, with its reason', async () => {
  const mail = async (url: string) => {
    const config = readConfig({ QRPRESS_DATA_DIR: join(folder, 'data'), QRPRESS_SMTP_URL: url });
    return (await examineSurroundings(config, administer)).filter(({ name }) => name === 'mail');
  };
  const refused = (detail: RegExp) => [{ name: 'mail', ok: false, detail: expect.stringMatching(detail) }];
  expect(await mail('smtp://127.0.0.1:1')).toEqual(refused(/refused.*QRPRESS_SMTP_URL/));
  const host = await mailServer({
    onAuth: ({ password }, _session, next) =>
      next(password === 'right' ? null : Object.assign(new Error('no'), { responseCode: 535 }), { user: 'user' }),
  });
  expect(await mail(`smtp://user:wrong@${host}`)).toEqual(refused(/535.*QRPRESS_SMTP_URL/));
  const withoutSignIn = await mailServer({ authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'] });
  expect(await mail(`smtp://user:right@${withoutSignIn}`)).toEqual(refused(/Invalid login.*QRPRESS_SMTP_URL/));
  const detail = `sent through ${host}, which answers`;
  expect(await mail(`smtp://user:right@${host}`)).toEqual([{ name: 'mail', ok: true, detail }]);
});

test('the data folder, and not what lies in it', async () => {
  await writeFile(join(folder, 'data'), '');
  expect(await blamed({})).toEqual(['data folder']);
});

test.each(['', 'no-colon-in-here\n'])('the file of the secrets that holds %j, with what to do', async (text) => {
  const path = join(folder, 'data', 'secrets');
  await mkdir(join(folder, 'data'));
  await writeFile(path, text);
  const findings = await examineSurroundings(readConfig({ QRPRESS_DATA_DIR: join(folder, 'data') }), administer);
  expect(findings.filter(({ ok }) => !ok)).toEqual([
    {
      name: 'secrets',
      ok: false,
      detail: expect.stringMatching(/secrets (?:is empty|does not hold).*from a backup, or delete it/),
    },
  ]);
  await rm(path);
  expect(await blamed({})).toEqual([]);
});

test('neither the address of the examples nor a missing mail server, but says so', async () => {
  const advised = async (environment: Record<string, string>) => {
    const findings = await examineSurroundings(
      readConfig({ QRPRESS_DATA_DIR: join(folder, 'data'), ...environment }),
      administer,
    );
    return findings.filter(({ isAdvice }) => isAdvice).map(({ name, ok, detail }) => `${name} ${ok} ${detail}`);
  };
  const firstDay = [
    expect.stringMatching(/^mail true Sign-up mails are not sent yet.*QRPRESS_SMTP_URL/),
    expect.stringMatching(/^sign-up true nobody can create an account before mail works/),
    expect.stringMatching(/^backup true none by `qrpress admin backup` yet/),
    expect.stringMatching(/^first organisation true none yet/),
  ];
  expect(await advised({ QRPRESS_BASE_URL: 'http://qr.example.com' })).toEqual([
    expect.stringMatching(/^address true .*QRPRESS_BASE_URL is still http:\/\/qr\.example\.com/),
    ...firstDay,
  ]);
  const local = { QRPRESS_BASE_URL: 'http://127.0.0.1:8080' };
  expect(await advised(local)).toEqual([expect.stringMatching(/^address true .*only this machine/), ...firstDay]);
  const smtpUrl = `smtp://${await mailServer({ authOptional: true })}`;
  const real = { QRPRESS_BASE_URL: 'http://qr.myexample.com', QRPRESS_SMTP_URL: smtpUrl };
  expect(await advised(real)).toEqual(firstDay.slice(2));
  const config = readConfig({ QRPRESS_DATA_DIR: join(folder, 'data'), ...real });
  await administer(config, ({ organisations }) =>
    organisations.create({ name: 'First', ownerEmail: 'a@example.org', credits: 0 }),
  );
  await writeBackup(administer, config, join(folder, 'backup'), false);
  expect(await advised(real)).toEqual([]);
});

test.each([
  ['open', /create one on your own page, or with `qrpress admin create-organisation`\. Operators grant credits/],
  [
    'invite',
    /none yet: make one with `qrpress admin create-organisation`, .* `qrpress admin invite`\. Operators grant credits/,
  ],
  [
    'closed',
    /none yet: make one with `qrpress admin create-organisation`, .* `qrpress admin invite`\. Operators grant credits/,
  ],
])('nobody without an organisation, but says what makes one where sign-up is %s', async (who, advice) => {
  const environment = { QRPRESS_DATA_DIR: join(folder, 'data'), QRPRESS_SIGN_UP: who };
  const findings = await examineSurroundings(readConfig(environment), administer);
  expect(findings.find(({ name }) => name === 'first organisation')?.detail).toMatch(advice);
});

test('no proxy, but says that one is probably missing', async () => {
  const environment = { QRPRESS_DATA_DIR: join(folder, 'data'), QRPRESS_BASE_URL: 'https://qr.example.com' };
  const findings = await examineSurroundings(readConfig(environment), administer);
  expect(findings.find(({ name }) => name === 'proxies')).toMatchObject({
    ok: true,
    detail: expect.stringContaining('QRPRESS_TRUSTED_PROXIES names no proxy'),
  });
});

test.each([
  ['', true],
  ['?tls=off', false],
  ['?tls=required', false],
])('no server of a database on another host, but says that it is asked in plain text: %s', async (parameters, says) => {
  const url = `mysql://root@[2001:db8::1]:1/qrpress${parameters}`;
  const findings = await examineSurroundings(
    readConfig({ QRPRESS_DATA_DIR: join(folder, 'data'), QRPRESS_DATABASE_URL: url }),
    administer,
  );
  const found = findings.find(({ name }) => name === 'encryption');
  expect(found).toEqual(
    says ? { name: 'encryption', ok: true, isAdvice: true, detail: expect.stringContaining('?tls=verify') } : undefined,
  );
});
