import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { ConfigError } from '../../src/config/setting-reader.js';
import { createLog } from '../../src/platform/log.js';
import { loadSecrets } from '../../src/config/secrets.js';

describe('readConfig', () => {
  it('has a default for everything', { tags: ['1/retention', '4/rate-limits'] }, () => {
    const config = readConfig({ PATH: '/bin', QRPRESS_PORT: '' });
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      baseUrl: 'http://127.0.0.1:8080',
      databaseUrl: `sqlite:${join(config.dataDir, 'qrpress.db')}`,
      databaseConnections: 10,
      storage: undefined,
      redisUrl: undefined,
      secrets: undefined,
      signUp: 'open',
      mail: { smtpUrl: undefined, from: 'qrpress <no-reply@127.0.0.1>' },
      rateLimits: { create: 10, read: 60 },
      webhookAllow: [],
      trustedProxies: [],
      chunkItems: 40_000,
      fontDir: undefined,
      brand: { name: 'qrpress', folder: undefined },
      samples: true,
      logLevel: 'info',
      stopSeconds: 30,
      retentionDays: 90,
      traces: undefined,
    });
    expect(config.dataDir).toBe(join(process.cwd(), 'data'));
    expect(config.renderThreads).toBeGreaterThan(0);
  });

  it('reads every setting', () => {
    expect(
      readConfig({
        QRPRESS_HOST: '::1',
        QRPRESS_PORT: '0',
        QRPRESS_BASE_URL: 'https://qr.example.com/',
        QRPRESS_DATA_DIR: '/var/lib/qrpress',
        QRPRESS_DATABASE_URL: 'mysql://user:password@localhost:3306/qrpress',
        QRPRESS_STORAGE_URL: 's3://codes/a/b?endpoint=https://s3.example.com&region=eu-central-1',
        QRPRESS_REDIS_URL: 'rediss://user:password@localhost:6380/1',
        QRPRESS_SECRETS: 'b:the-second-secret-of-32-characters,a:the-first:secret-of-32-characters',
        QRPRESS_SIGN_UP: 'closed',
        QRPRESS_SAMPLES: 'off',
        QRPRESS_BRAND_NAME: 'Acme codes',
        QRPRESS_BRAND_DIR: 'web',
        QRPRESS_CREDITS: 'unlimited',
        QRPRESS_MONTHLY_CREDITS: '5000',
        QRPRESS_OIDC_ISSUER: 'https://login.example.com/realms/acme',
        QRPRESS_OIDC_CLIENT_ID: 'qrpress',
        QRPRESS_OIDC_CLIENT_SECRET: 'sesame',
        QRPRESS_OIDC_GROUPS: 'print team=01H:admin, all = 01H:member',
        QRPRESS_PASSWORDS: 'off',
        QRPRESS_SMTP_URL: 'smtps://user:password@mail.example.com',
        QRPRESS_MAIL_FROM: 'QR codes <qr@example.com>',
        QRPRESS_RATE_LIMIT_CREATE: '1',
        QRPRESS_RATE_LIMIT_READ: '2',
        QRPRESS_WEBHOOK_ALLOW: 'hooks.internal, 10.0.0.0/8, [::1]',
        QRPRESS_PROXY_URL: 'http://user:password@proxy.internal:3128',
        QRPRESS_NO_PROXY: 'login.internal, 10.0.0.0/8',
        QRPRESS_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
        QRPRESS_DATABASE_CONNECTIONS: '5',
        QRPRESS_RENDER_THREADS: '3',
        QRPRESS_CHUNK_ITEMS: '2000',
        QRPRESS_FONT_DIR: 'fonts',
        QRPRESS_LOG_LEVEL: 'debug',
        QRPRESS_STOP_SECONDS: '60',
        QRPRESS_RETENTION_DAYS: '4',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example.com/otlp/',
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YTpi,x-tenant=codes',
        OTEL_SERVICE_NAME: 'press',
      }),
    ).toEqual({
      host: '::1',
      port: 0,
      baseUrl: 'https://qr.example.com',
      dataDir: '/var/lib/qrpress',
      databaseUrl: 'mysql://user:password@localhost:3306/qrpress',
      databaseConnections: 5,
      storage: {
        kind: 'bucket',
        bucket: 'codes',
        prefix: 'a/b',
        endpoint: 'https://s3.example.com',
        region: 'eu-central-1',
      },
      redisUrl: 'rediss://user:password@localhost:6380/1',
      secrets: ['the-second-secret-of-32-characters', 'the-first:secret-of-32-characters'],
      signUp: 'closed',
      samples: false,
      brand: { name: 'Acme codes', folder: join(process.cwd(), 'web') },
      credits: 'unlimited',
      monthlyCredits: 5_000,
      passwords: false,
      oidc: {
        issuer: 'https://login.example.com/realms/acme',
        clientId: 'qrpress',
        clientSecret: 'sesame',
        groups: [
          { group: 'print team', organisationId: '01H', role: 'admin' },
          { group: 'all', organisationId: '01H', role: 'member' },
        ],
      },
      mail: { smtpUrl: 'smtps://user:password@mail.example.com', from: 'QR codes <qr@example.com>' },
      rateLimits: { create: 1, read: 2 },
      webhookAllow: ['hooks.internal', '10.0.0.0/8', '::1'],
      proxy: { url: 'http://user:password@proxy.internal:3128', except: ['login.internal', '10.0.0.0/8'] },
      trustedProxies: ['10.0.0.0/8', '::1'],
      renderThreads: 3,
      chunkItems: 2_000,
      fontDir: join(process.cwd(), 'fonts'),
      logLevel: 'debug',
      stopSeconds: 60,
      retentionDays: 4,
      traces: {
        endpoint: 'https://traces.example.com/otlp/v1/traces',
        headers: { authorization: 'Basic YTpi', 'x-tenant': 'codes' },
        serviceName: 'press',
      },
    });
  });

  it.each([
    ['::1', 'http://[::1]:8080'],
    ['fe80::1%eth0', 'http://[fe80::1]:8080'],
    ['qr.example.com', 'http://qr.example.com:8080'],
  ])('is reached at the address that it listens on: %s', (host, baseUrl) => {
    expect(readConfig({ QRPRESS_HOST: host })).toMatchObject({ host, baseUrl });
  });

  it.each([
    ['file:///srv/qrpress', { kind: 'folder', path: '/srv/qrpress' }],
    ['file:///srv/a%20b/', { kind: 'folder', path: '/srv/a b/' }],
    ['s3://codes', { kind: 'bucket', bucket: 'codes', prefix: '', endpoint: undefined, region: undefined }],
    ['s3://codes/a/?region=eu-west-1', { bucket: 'codes', prefix: 'a', endpoint: undefined, region: 'eu-west-1' }],
    ['s3://codes?endpoint=http://[::1]:9000', { endpoint: 'http://[::1]:9000', region: 'us-east-1' }],
  ])('stores in %s', (url, location) => {
    expect(readConfig({ QRPRESS_STORAGE_URL: url }).storage).toMatchObject(location);
  });

  it.each([
    ['HOST', 'a b'],
    ['HOST', '256.1.1.1'],
    ['PORT', '80x'],
    ['PORT', '65536'],
    ['BASE_URL', 'qr.example.com'],
    ['BASE_URL', 'https://qr.example.com/path'],
    ['DATA_DIR', '/proc/qrpress'],
    ['DATABASE_URL', 'postgres://localhost/qrpress'],
    ['DATABASE_URL', 'sqlite:/proc/qrpress/qrpress.db'],
    ['STORAGE_URL', 'file:///proc/qrpress'],
    ['DATABASE_URL', 'mysql://localhost'],
    ['DATABASE_URL', 'mysql://user:100%@localhost/qrpress'],
    ['DATABASE_URL', 'mysql://localhost/a/b'],
    ['DATABASE_URL', 'mysql://localhost/qrpress?ssl-mode=REQUIRED'],
    ['DATABASE_URL', 'mysql://localhost/qrpress?tls=true'],
    ['DATABASE_URL', 'mysql://localhost/qrpress?tls=required&ca=/etc/ssl/certs'],
    ['DATABASE_URL', 'mysql://localhost/qrpress?tls=verify&ca=/absent.pem'],
    ['SECRETS', 'no-colon-in-here'],
    ['SECRETS', 'a:the-first-secret-of-32-characters,a:the-other-secret-of-32-characters'],
    ['SECRETS', 'a:only-31-characters-are-too-few-'],
    ['SECRETS', 'a:change-me-to-a-secret-of-32-characters'],
    ['DATABASE_URL', 'mysql://qrpress:change-me@localhost/qrpress'],
    ['OIDC_CLIENT_SECRET', 'ChangeMe'],
    ['RATE_LIMIT_CREATE', '0'],
    ['WEBHOOK_ALLOW', '10.0.0.0/33'],
    ['WEBHOOK_ALLOW', 'a b'],
    ['PROXY_URL', 'https://proxy.internal:3128'],
    ['PROXY_URL', 'proxy.internal:3128'],
    ['PROXY_URL', 'http://user:p@ss/w@proxy.internal'],
    ['PROXY_URL', 'http://proxy.internal/path'],
    ['NO_PROXY', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', 'localhost'],
    ['SIGN_UP', 'sometimes'],
    ['CREDITS', 'some'],
    ['MONTHLY_CREDITS', '1e6'],
    ['PASSWORDS', 'off'],
    ['OIDC_ISSUER', 'http://login.example.com'],
    ['OIDC_ISSUER', 'https://login.example.com'],
    ['OIDC_GROUPS', 'a=b:boss'],
    ['DATABASE_CONNECTIONS', '0'],
    ['RENDER_THREADS', '1.5'],
    ['CHUNK_ITEMS', '999'],
    ['FONT_DIR', 'package.json'],
    ['FONT_DIR', 'no/such/folder'],
    ['LOG_LEVEL', 'loud'],
    ['RETENTION_DAYS', '-1'],
    ['STORAGE_URL', '/var/lib/qrpress'],
    ['STORAGE_URL', 'file:'],
    ['STORAGE_URL', 'file:///'],
    ['STORAGE_URL', 'file:data'],
    ['STORAGE_URL', 'file:///a%00b'],
    ['STORAGE_URL', 'file://host/folder'],
    ['STORAGE_URL', 's3://'],
    ['STORAGE_URL', 's3://Codes'],
    ['STORAGE_URL', 's3://key:passw0rd@codes'],
    ['STORAGE_URL', 's3://codes/.a'],
    ['STORAGE_URL', 's3://codes?endpoint=s3.example.com'],
    ['STORAGE_URL', 's3://codes?endpoint=https://key:passw0rd@s3.example.com'],
    ['STORAGE_URL', 's3://codes?region=eu%20central'],
    ['STORAGE_URL', 's3://codes?zone=eu-central-1'],
    ['STORAGE_URL', 'gs://codes'],
    ['REDIS_URL', 'http://localhost'],
    ['REDIS_URL', 'redis:///0'],
    ['REDIS_URL', 'redis://:100%@localhost'],
    ['REDIS_URL', 'redis://localhost/first'],
    ['SMTP_URL', 'mail.example.com:25'],
    ['SMTP_URL', 'smtp://mail.example.com?tls=maybe'],
    ['SMTP_URL', 'smtps://mail.example.com?tls=off'],
    ['SMTP_URL', 'smtp://user:100%@mail.example.com'],
    ['MAIL_FROM', 'qr@example.com\nBcc: all@example.com'],
    ['NO_SUCH', 'thing'],
  ])('refuses QRPRESS_%s=%s', (name, value) => {
    expect(() => readConfig({ [`QRPRESS_${name}`]: value })).toThrow(`QRPRESS_${name}: `);
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://key:passw0rd@localhost:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=b%0d%0ac:d'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%'],
  ])('refuses %s=%s', (name, value) => {
    const read = () => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', [name]: value });
    expect(read).toThrow(`${name}: `);
  });

  it.each([
    ['DATABASE_URL', 'mysql://qrpress:p@ss/w:rd@db.example.com/qrpress'],
    ['DATABASE_URL', 'mysql://qrpress:1#ss@db.example.com/qrpress'],
    ['DATABASE_URL', 'mysql://qrpress:1/ss?w=rd@db.example.com/qrpress'],
    ['REDIS_URL', 'redis://:1/ss@redis.example.com'],
    ['SMTP_URL', 'smtp://user:p@ss/w:rd@mail.example.com:587'],
  ])('asks for a percent-encoded password, and repeats none of it: %s=%s', (name, value) => {
    const read = () => readConfig({ [`QRPRESS_${name}`]: value });
    expect(read).toThrow(/percent-encoded: \/ is %2F/);
    expect(read).not.toThrow(/\Wss\b|w:rd/);
  });

  it('takes a password that is percent-encoded, or needs not be', () => {
    for (const databaseUrl of ['mysql://a:p%40ss%2Fw%3Ard@db/qrpress?tls=required', 'mysql://a:p@ss:word@db/qrpress']) {
      expect(readConfig({ QRPRESS_DATABASE_URL: databaseUrl })).toMatchObject({ databaseUrl });
    }
  });

  it('lists all that is wrong in one message, and no value, since it may be a password', () => {
    const read = () => readConfig({ QRPRESS_PORT: 'p0rt', QRPRESS_DATABASE_URL: 'passw0rd', QRPRESS_POTR: '1' });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/QRPRESS_PORT: [^]*QRPRESS_DATABASE_URL: [^]*QRPRESS_POTR: /);
    expect(read).not.toThrow(/p0rt|passw0rd/);
  });

  it('names the setting that an unknown one is part of, or that is part of it', () => {
    const near = (name: string) => () => readConfig({ [name]: '1' });
    expect(near('QRPRESS_DATA')).toThrow('QRPRESS_DATA: there is no such setting; did you mean QRPRESS_DATA_DIR?');
    expect(near('QRPRESS_PORTS')).toThrow('QRPRESS_PORTS: there is no such setting; did you mean QRPRESS_PORT?');
    expect(near('QRPRESS_POTR')).toThrow(/no such setting$/);
  });
});

describe('loadSecrets', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'qrpress-secrets-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  it('generates a secret once, for its owner alone to read', async () => {
    const first = await loadSecrets({ secrets: undefined, dataDir });
    expect(first).toHaveLength(1);
    expect(first[0]).toMatch(/^[\w-]{43}$/);
    expect((await stat(join(dataDir, 'secrets'))).mode & 0o777).toBe(0o600);
    expect(await loadSecrets({ secrets: undefined, dataDir })).toEqual(first);
  });

  it('generates one for processes that start at the same time', async () => {
    const loaded = await Promise.all(Array.from({ length: 8 }, () => loadSecrets({ secrets: undefined, dataDir })));
    expect(new Set(loaded.flat()).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['secrets']);
  });

  it('leaves nothing when the disk takes no byte, so that the next start is like the first', async () => {
    const program = fileURLToPath(new URL('../../dist/config/secrets.js', import.meta.url));
    const script = `import(${JSON.stringify(program)}).then(({ loadSecrets }) => loadSecrets({ dataDir: ${JSON.stringify(dataDir)} }))`;
    // A file may have no byte.
    const failed = spawnSync('sh', ['-c', 'ulimit -f 0; exec "$0" -e "$1"', process.execPath, script], {
      encoding: 'utf8',
    });
    expect(failed.stderr).toContain('EFBIG');
    expect(await readdir(dataDir)).toEqual([]);
    expect(await loadSecrets({ secrets: undefined, dataDir })).toHaveLength(1);
  });

  it.each([
    ['', 'is empty'],
    ['no-colon-in-here\n', 'does not hold id:value'],
  ])('says what to do about a file that holds %j', async (text, problem) => {
    const path = join(dataDir, 'secrets');
    await writeFile(path, text);
    const message = new RegExp(`${path} ${problem}.*put the file back from a backup, or delete it`);
    await expect(loadSecrets({ secrets: undefined, dataDir })).rejects.toThrow(message);
  });

  it('takes the configured ones', async () => {
    const secrets = ['configured'];
    expect(await loadSecrets({ secrets, dataDir })).toEqual(secrets);
  });
});

describe('createLog', () => {
  it('writes JSON lines without secrets', () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => void lines.push(line) });
    log.info({ authorization: 'Bearer x1', config: { secrets: 'x2', databaseUrl: 'x3' }, key: 'x4' }, 'hello');
    log.debug({}, 'quiet');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', msg: 'hello', key: '[Redacted]' });
    expect(lines[0]).not.toMatch(/x\d/);
  });
});
