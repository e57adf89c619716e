import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAIN, qrpress } from '../support/command-line.js';

const POSTERS = fileURLToPath(new URL('../../examples/posters.json', import.meta.url));

describe('the command line', () => {
  let folder: string;
  let dataDir: string;
  let running: ChildProcess | undefined;
  /** Stands for whatever else has the port; counts its requests. */
  let other: Server;
  let port: number;
  let requests: number;
  /** The status of its answers. */
  let status: number;
  /** Further settings of the program. */
  let settings: Record<string, string>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qrpress-command-'));
    dataDir = folder;
    requests = 0;
    status = 500;
    settings = {};
    other = createServer((_, response) => {
      requests += 1;
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    ({ port } = other.address() as AddressInfo);
  });
  afterEach(async () => {
    running?.kill('SIGKILL');
    other.close();
    await rm(folder, { recursive: true });
  });

  const env = () => ({ QRPRESS_DATA_DIR: dataDir, QRPRESS_PORT: String(port), ...settings });

  /** Runs the program to its end. */
  async function run(...words: string[]): Promise<{ code: number; output: string; errors: string }> {
    const { code, stdout, stderr } = await qrpress(words, { env: env() });
    return { code, output: stdout, errors: stderr };
  }

  /** Runs Node.js to its end: `serve` ends its process. */
  async function runNode(...words: string[]): Promise<{ code: number; output: string; errors: string }> {
    const child = spawn(process.execPath, words, {
      env: { PATH: process.env['PATH'], ...env() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running = child;
    const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { code: code as number, output, errors };
  }

  it('says how the owner of a new organisation gets in, beside the line that scripts read', async () => {
    const { output, errors } = await run('admin', 'create-organisation', '--name', 'N', '--owner', 'a@example.org');
    const [, id] = /^Organisation (\w{26})\n$/.exec(output) ?? [];
    expect(errors).toContain(`qrpress admin invite --organisation ${id} --email 'a@example.org'\n`);
  });

  it('makes keys of all terms, lists and revokes them; makes, lists and deletes webhooks', async () => {
    const admin = async (...words: string[]) => JSON.parse((await run('admin', ...words, '--json')).output);
    const { organisationId } = await admin('create-organisation', '--name', 'N', '--owner', 'a@example.org');
    const url = 'https://hooks.example.org/qrpress';
    const words = ['create-webhook', '--organisation', organisationId, '--url'];
    const { webhookId, ...created } = await admin(...words, url, '--event', 'job.failed', '--event', 'credits.low');
    expect(created).toEqual({ secret: expect.stringMatching(/^whsec_/) });
    const events = ['job.failed', 'credits.low'];
    expect(await admin('list-webhooks')).toEqual([{ webhookId, organisationId, url, events }]);
    const terms = ['--expires', '2099-01-31T12:00:00+01:00', '--access', 'read'];
    const key = await admin('create-key', '--organisation', organisationId, '--name', 'N', ...terms);
    expect(key).toEqual({ keyId: expect.stringMatching(/^\w{26}$/), key: expect.stringMatching(/^qrp_/) });
    const { keyId, key: secret } = key as { keyId: string; key: string };
    expect(await admin('list-keys')).toEqual([{ keyId, organisationId, prefix: secret.slice(0, 8), name: 'N' }]);
    await admin('revoke-key', '--key-id', keyId);
    expect(await admin('list-keys')).toEqual([]);
    expect((await run('admin', 'list-webhooks')).output).toBe(
      `${webhookId}  ${organisationId}  ${url}  job.failed, credits.low\n`,
    );
    await admin('delete-webhook', '--webhook-id', webhookId);
    const slip = ['--organisation', organisationId, '--credits', '1000', '--reason', 'a slip'];
    const { balance } = (await admin('grant-credits', ...slip)) as { balance: number };
    expect(await admin('take-back-credits', ...slip)).toEqual({ organisationId, balance: balance - 1000 });
    const tooMany = await run('admin', 'take-back-credits', ...slip.with(3, '999999999'));
    expect([tooMany.code, tooMany.errors]).toEqual([
      1,
      expect.stringContaining('No more than that can be taken back.'),
    ]);
    const allowance = await admin('set-allowance', '--organisation', organisationId, '--credits', '5');
    expect(allowance).toEqual({ organisationId, monthlyCredits: 5 });
    expect((await run('admin', 'set-allowance', '--organisation', organisationId)).code).toBe(2);
    expect(await admin('list-webhooks')).toEqual([]);
    const refused = await run('admin', ...words, 'http://192.168.1.1/');
    const sentence =
      'Use a public address; 192.168.1.1 is private. Where it may be called, list it in QRPRESS_WEBHOOK_ALLOW.';
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining(sentence)]);
  }, 60_000);

  it('calls a webhook once with a test, and tells the outcome by its exit code', {
    tags: ['additions/webhook-test'],
    timeout: 60_000,
  }, async () => {
    settings = { QRPRESS_WEBHOOK_ALLOW: '127.0.0.1' };
    const admin = async (...words: string[]) => {
      const { code, output } = await run('admin', ...words, '--json');
      return { code, document: JSON.parse(output) as Record<string, unknown> };
    };
    const { document: organisation } = await admin('create-organisation', '--name', 'N', '--owner', 'a@example.org');
    const words = ['--organisation', String(organisation['organisationId']), '--url', `http://127.0.0.1:${port}/hook`];
    const { document: webhook } = await admin('create-webhook', ...words);
    const test = () => admin('test-webhook', '--webhook-id', String(webhook['webhookId']));
    const seconds = expect.any(Number) as number;
    expect(await test()).toEqual({ code: 1, document: { status: 500, seconds } });
    status = 204;
    expect(await test()).toEqual({ code: 0, document: { status: 204, seconds } });
    expect(requests).toBe(2);
    settings = {};
    const error = 'Use a public address; 127.0.0.1 is private.';
    expect(await test()).toEqual({ code: 1, document: { error } });
    const { output } = await run('admin', 'test-webhook', '--webhook-id', String(webhook['webhookId']));
    expect(output).toBe(`${error} Where it may be called, list it in QRPRESS_WEBHOOK_ALLOW.\n`);
    expect(requests).toBe(2);
    const unknown = await run('admin', 'test-webhook', '--webhook-id', 'none');
    expect([unknown.code, unknown.errors]).toEqual([1, expect.stringContaining('There is no such webhook.')]);
  });

  it('takes an address or a name that cannot be one for a wrong argument, before it looks for a database', async () => {
    dataDir = join(folder, 'absent');
    const [long, address] = ['x'.repeat(201), 'This is not an email address.'];
    const key = ['create-key', '--organisation', 'o', '--name', 'N'];
    const cases: [words: string[], sentence: string][] = [
      [['create-organisation', '--name', 'N', '--owner', 'nobody'], address],
      [['create-organisation', '--name', ' ', '--owner', 'a@example.org'], 'Use 1 to 200 characters; this has 0.'],
      [['create-organisation', '--name', 'a\nb', '--owner', 'a@example.org'], 'without control characters'],
      [['create-key', '--organisation', 'o', '--name', 'a\u001b[2J'], 'without control characters'],
      [['invite', '--organisation', 'o', '--email', 'a b@example.org'], address],
      [['withdraw-operator', '--email', 'nobody'], address],
      [['delete-account', '--email', 'nobody'], address],
      [['create-key', '--organisation', 'o', '--name', long], 'Use 1 to 200 characters; this has 201.'],
      [['grant-credits', '--organisation', 'o', '--credits', '1', '--reason', long], 'this has 201.'],
      [['grant-credits', '--organisation', 'o', '--credits', '0', '--reason', 'R'], 'a whole number above 0'],
      [['grant-credits', '--organisation', 'o', '--credits', '1000000000000', '--reason', 'R'], 'at most 999999999999'],
      [[...key, '--expires', '2026-01-31T12:00:00Z'], 'this one is over'],
      [[...key, '--expires', '2099-02-30T12:00:00Z'], 'expected a time of RFC 3339'],
      [[...key, '--expires', '2099-01-31'], 'expected a time of RFC 3339'],
      [[...key, '--access', 'write'], 'Allowed choices are full, read.'],
    ];
    for (const [words, sentence] of cases) {
      const { code, errors } = await run('admin', ...words);
      expect([code, errors]).toEqual([2, expect.stringContaining(sentence)]);
      expect(errors).toContain(`Usage: qrpress admin ${words[0]} `);
    }
    expect(existsSync(dataDir)).toBe(false);
  }, 60_000);

  it('makes no data folder for a command that only looks', async () => {
    const absent = join(folder, 'absent');
    dataDir = absent;
    for (const words of [['list-organisations'], ['verify'], ['backup', '--to', join(MAIN, 'copy')]]) {
      const { code, errors } = await run('admin', ...words);
      expect([code, errors]).toEqual([1, expect.stringContaining(`data folder: ${absent}\nthere is no database at `)]);
      expect(existsSync(absent)).toBe(false);
    }
  });

  it('names what is wrong with the address of a service', async () => {
    const submit = (url: string) => run('submit', POSTERS, '--url', url, '--key', 'k', '--out', join(folder, 'c.zip'));
    const origin = `http://127.0.0.1:${port}`;
    for (const url of [`${origin}/prefix`, `${origin}?y`, `http://user:secret@127.0.0.1:${port}`]) {
      const { code, errors } = await submit(url);
      expect([code, errors]).toEqual([2, expect.stringContaining('expected the address alone')]);
      expect(errors).toContain('\nUsage: qrpress submit ');
    }
    expect(requests).toBe(0);
    const tls = await submit(`https://127.0.0.1:${port}`);
    const said = /^There is no TLS connection to the server: .*\. Check that it speaks HTTPS; .*\n$/;
    expect([tls.code, tls.errors]).toEqual([1, expect.stringMatching(said)]);
    expect((await submit('http://127.0.0.1:6000')).errors).toMatch(/^Node\.js does not connect to this port, /);
  }, 60_000);

  it('says how to trust a certificate that its own key has signed', async () => {
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'];
    const names = ['-addext', 'subjectAltName=IP:127.0.0.1'];
    execFileSync('openssl', [...words, ...names, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    const secure = createSecureServer({ key: await readFile(key), cert: await readFile(certificate) }, (_, answer) =>
      answer.writeHead(401).end('{"error":"invalid_api_key","message":"no"}'),
    ).listen(0, '127.0.0.1');
    await once(secure, 'listening');
    const url = `https://127.0.0.1:${(secure.address() as AddressInfo).port}`;
    const submit = () => run('submit', POSTERS, '--url', url, '--key', 'k', '--out', join(folder, 'c.zip'));
    expect((await submit()).errors).toMatch(
      /^self-signed certificate\. If you trust the server, set NODE_EXTRA_CA_CERTS /,
    );
    settings = { NODE_EXTRA_CA_CERTS: certificate };
    const trusting = await runNode(MAIN, 'submit', POSTERS, '--url', url, '--key', 'k', '--out', join(folder, 'c.zip'));
    expect(trusting.errors).toContain('invalid_api_key');
    secure.close();
  }, 60_000);

  it('says what a role needs to share its work', async () => {
    const { code, errors } = await runNode(MAIN, 'serve', '--role', 'worker');
    expect(code).toBe(1);
    expect(errors).toContain('QRPRESS_REDIS_URL: --role worker needs it');
    expect((await runNode(MAIN, 'serve', '--role', 'chef')).code).toBe(2);
  });

  it('says at the start of serve which commands lead to a first archive', async () => {
    settings = { QRPRESS_PORT: '0', QRPRESS_BASE_URL: 'https://qr.example.org' };
    const child = spawn(process.execPath, [MAIN, 'serve'], {
      env: { PATH: process.env['PATH'], ...env() },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    running = child;
    const commands: string[] = [];
    for await (const line of createInterface(child.stderr)) {
      if (line.startsWith('  qrpress ')) commands.push(line.trim());
      if (line.startsWith('In a clone')) child.kill('SIGTERM');
    }
    expect(commands).toEqual([
      'qrpress admin create-organisation --name NAME --owner EMAIL --credits 10000',
      'qrpress admin create-key --organisation ID --name NAME',
      'qrpress submit FILE --url https://qr.example.org --key KEY --out codes.zip',
    ]);
  }, 60_000);

  it('ends serve with 1 where the port is taken', async () => {
    const { code, errors } = await runNode(MAIN, 'serve');
    expect(code).toBe(1);
    expect(errors).toContain(`cannot listen on 127.0.0.1:${port}: address already in use`);
  });

  it('ends serve with 1 where a part of it cannot be made, and leaves nothing running', async () => {
    await mkdir(join(folder, 'front.html'));
    settings = { QRPRESS_BRAND_DIR: folder };
    const { code, errors } = await runNode(MAIN, 'serve');
    expect(code).toBe(1);
    expect(errors).toMatch(/^QRPRESS_BRAND_DIR: cannot read .*front\.html: /);
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

  it('says in a sentence what is not there, and what is of another kind', async () => {
    const absent = join(folder, 'absent');
    const gone = `${absent}: no such file or directory`;
    const out = ['--out', join(folder, 'codes.zip')];
    const service = ['--url', `http://127.0.0.1:${port}`, '--key', 'k'];
    const cases: [words: string[], sentence: string][] = [
      [['admin', 'restore', '--from', absent], `cannot read the folder ${gone}\n`],
      [['admin', 'backup', '--to', join(MAIN, 'copy')], `cannot read the folder ${MAIN}/copy: not a directory\n`],
      [['render', absent, ...out], `cannot read ${gone}\n`],
      [['render', folder, ...out], `${folder} is a folder, not a file of items\n`],
      [['render', POSTERS, '--out', join(absent, 'codes.zip')], `cannot use ${absent}`],
      [['render', POSTERS, '--style', absent, ...out], `cannot open ${gone}`],
      [['submit', absent, ...service, ...out], `cannot read ${gone}\n`],
      [['submit', folder, ...service, ...out], `${folder} is a folder, not a file of items\n`],
      [['submit', POSTERS, ...service, '--out', join(absent, 'codes.zip')], `cannot use ${gone}\n`],
    ];
    await run('migrate');
    for (const [words, sentence] of cases) {
      const { code, errors } = await run(...words);
      expect(code, words.join(' ')).not.toBe(0);
      expect(errors).toContain(sentence);
      expect(errors).not.toMatch(/\bE[A-Z]{4,}\b|^\s+at /m);
    }
    expect(requests).toBe(0);
  }, 60_000);

  it('says where nobody answers', async () => {
    other.close();
    await once(other, 'close');
    const url = `http://localhost:${port}`;
    const { code, errors } = await run('submit', POSTERS, '--url', url, '--key', 'k', '--out', join(folder, 'c.zip'));
    expect(code).toBe(1);
    expect(errors).toMatch(
      new RegExp(
        `cannot connect to .*:${port}: connection refused. Check the address, and that the server there runs.\\n$`,
      ),
    );
  });

  it.runIf(process.platform === 'linux')(
    'ends with 1 where standard output cannot be written',
    async () => {
      await run('migrate');
      const full = await open('/dev/full', 'w');
      try {
        const commands = [
          ['admin', 'list-organisations', '--json'],
          ['render', POSTERS, '--out', join(folder, 'codes.zip')],
          ['render', POSTERS, '--out', '-'],
          ['migrate'],
          ['--help'],
        ];
        for (const words of commands) {
          const child = spawn(process.execPath, [MAIN, ...words], {
            env: { PATH: process.env['PATH'], QRPRESS_DATA_DIR: dataDir, QRPRESS_RENDER_THREADS: '1' },
            stdio: ['ignore', full.fd, 'pipe'],
          });
          running = child;
          const [errors, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
          expect(errors.match(/standard output.*$/gm), words.join(' ')).toEqual([
            'standard output: no space left on device',
          ]);
          expect([code, errors]).toEqual([1, expect.not.stringMatching(/^\s+at /m)]);
        }
      } finally {
        await full.close();
      }
    },
    60_000,
  );

  it('repairs what verify says that it can repair', async () => {
    await run('migrate');
    const spool = join(folder, 'storage', 'jobs', '0123456789abcdefghjkmnpqrs', 'spool');
    await mkdir(dirname(spool), { recursive: true });
    await writeFile(spool, '');
    await utimes(spool, 0, 0);
    expect((await run('admin', 'verify')).code).toBe(1);
    expect((await run('admin', 'verify', '--repair')).code).toBe(0);
    expect((await run('admin', 'verify')).code).toBe(0);
  }, 60_000);

  it('loads for a command what the command needs', async () => {
    // Packages in CommonJS are all in the cache of whoever requires.
    const tell = `
      import { createRequire } from 'node:module';
      process.on('exit', () => {
        for (const path of Object.keys(createRequire('${MAIN}').cache)) console.error(path);
      });`;
    const words = ['--import', `data:text/javascript,${encodeURIComponent(tell)}`, MAIN];
    const loaded = async (...command: string[]) => {
      const { code, errors } = await runNode(...words, ...command);
      expect(code).toBe(0);
      return new Set([...errors.matchAll(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/g)].map(([, name]) => name));
    };
    expect([...(await loaded('--help'))]).toEqual(['commander']);
    await run('migrate');
    const packages = await loaded('admin', 'list-organisations');
    expect(packages).toContain('libsql');
    for (const server of ['koa', 'bullmq', 'ioredis', 'mysql2', 'pino', 'prom-client']) {
      expect(packages).not.toContain(server);
    }
  });
});
