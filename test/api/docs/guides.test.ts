/** The guides at `/docs/…`: without dead links, with snippets that work as they are written, and pictures of this engine. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LABEL_SHEETS } from '../../../src/contract/label-sheets.js';
import { type Style, StyleSchema } from '../../../src/contract/request-schema.js';
import { JobResourceSchema, ManifestLineSchema } from '../../../src/contract/response-schema.js';
import { sqlite } from '../../support/databases.js';
import { decodePng, unzip } from '../../support/decode.js';
import { FaultyProxy, faultsOfFirstTwo, idempotencyKeys } from '../../support/faulty-proxy.js';
import { freePort } from '../../support/free-port.js';
import { pages, snippetsIn, snippetsOf } from '../../support/pages.js';
import { startTestService, type TestService } from '../../support/service.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

/** The pages with commands of the test `guides`, in the order in which they build on one another. */
const PAGES_OF_COMMANDS = [
  'docs/build/quick-start.md',
  'docs/make/look.md',
  'docs/make/print.md',
  'docs/build/large-jobs.md',
  'docs/build/downloads.md',
  'docs/build/errors-and-retries.md',
  'docs/make/files.md',
];

/** The tests that run snippets of pages, by the name that a fence has. */
const TESTS = {
  guides: 'test/api/docs/guides.test.ts',
  patterns: 'test/api/docs/guides.test.ts',
  rename: 'test/api/docs/guides.test.ts',
  clients: 'test/client/examples.test.ts',
  bundle: 'test/packages/bundle.test.ts',
  backup: 'test/cli/backup/backup.test.ts',
  deploy: 'test/packages/deploy.test.ts',
  grants: 'test/database/server-settings.test.ts',
  packages: 'scripts/packaging/test-packages.js',
  units: 'scripts/packaging/test-units.js',
};

/** A workbook with the sheet that the guide reads, put together without a library. */
const WORKBOOK = `
import zipfile
X = '<?xml version="1.0"?>'
R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
M = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
P = 'http://schemas.openxmlformats.org/package/2006'
A = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
row = lambda *cells: '<row>' + ''.join(f'<c t="inlineStr"><is><t>{cell}</t></is></c>' for cell in cells) + '</row>'
with zipfile.ZipFile('products.xlsx', 'w') as file:
    file.writestr('[Content_Types].xml', f'{X}<Types xmlns="{P}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/w.xml" ContentType="{A}.sheet.main+xml"/><Override PartName="/s.xml" ContentType="{A}.worksheet+xml"/></Types>')
    file.writestr('_rels/.rels', f'{X}<Relationships xmlns="{P}/relationships"><Relationship Id="r" Type="{R}/officeDocument" Target="w.xml"/></Relationships>')
    file.writestr('_rels/w.xml.rels', f'{X}<Relationships xmlns="{P}/relationships"><Relationship Id="r" Type="{R}/worksheet" Target="s.xml"/></Relationships>')
    file.writestr('w.xml', f'{X}<workbook xmlns="{M}" xmlns:r="{R}"><sheets><sheet name="Labels" sheetId="1" r:id="r"/></sheets></workbook>')
    file.writestr('s.xml', f'{X}<worksheet xmlns="{M}"><sheetData>{row("Name", "URL")}{row("Table 1", "https://example.org/1")}</sheetData></worksheet>')
`;

/** A logo that is too long for a command line: no row of it compresses. */
const LOGO = `
import os, struct, zlib
chunk = lambda name, data: struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
rows = b''.join(b'\\0' + os.urandom(900) for _ in range(300))
head = struct.pack('>IIBBBBB', 300, 300, 8, 2, 0, 0, 0)
with open('logo.png', 'wb') as file:
    file.write(b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', head) + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))
`;

describe('the guides', { timeout: 120_000 }, () => {
  let service: TestService;
  let folder: string;
  let environment: NodeJS.ProcessEnv;
  beforeAll(async () => {
    service = await startTestService(sqlite);
    folder = await mkdtemp(join(tmpdir(), 'qrpress-guides-'));
    environment = { PATH: process.env['PATH'], HOME: folder, QRPRESS_URL: service.url, QRPRESS_KEY: service.key };
    // As `npm install` with the path of the package does.
    await mkdir(join(folder, 'node_modules'));
    await symlink(ROOT, join(folder, 'node_modules', 'qrpress'));
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('have no snippet for users that is not run, and name only tests that run them', async () => {
    for (const page of pages()) {
      const snippets = snippetsIn(page).filter(({ language }) => !['json', 'yaml'].includes(language));
      if (/^docs\/(?:make|build)\//.test(page)) {
        expect(snippets.filter(({ test }) => test === undefined)).toEqual([]);
      }
      for (const { test } of snippets.filter((snippet) => snippet.test !== undefined)) {
        const path = TESTS[test as keyof typeof TESTS];
        expect(path, `${test} of ${page}`).toBeDefined();
        const source = await readFile(join(ROOT, path), 'utf8');
        expect(`${path} ${source.includes(`'${page}'`)} ${source.includes(`${test}`)}`, page).toBe(`${path} true true`);
      }
    }
    const guides = pages().filter((page) => snippetsOf(page, 'guides').length > 0);
    expect(PAGES_OF_COMMANDS.toSorted()).toEqual(guides);
  });

  it('have commands that work one after the other', async () => {
    const commands = PAGES_OF_COMMANDS.flatMap((page) => snippetsOf(page, 'guides'))
      .join('\n')
      .replace('http://127.0.0.1:8080', service.url)
      .replace('your-key', service.key);
    await writeFile(join(folder, 'products.csv'), 'URL;Name\nhttps://example.org/1;one\n');
    await run('python3', ['-c', WORKBOOK], { cwd: folder });
    await run('python3', ['-c', LOGO], { cwd: folder });
    const qrpress = `qrpress() { '${process.execPath}' '${join(ROOT, 'dist', 'main.js')}' "$@"; }`;
    const { stdout } = await run('bash', ['-euc', `${qrpress}\n${commands}\necho done`], {
      cwd: folder,
      env: environment,
    });
    expect(stdout).toContain('"issueCount": 2');
    expect(stdout).toContain('"total":30000');
    // Two attempts with one key.
    expect(stdout).toMatch(/([0-9a-z]{26})\n\1\n/);
    expect(stdout).toMatch(/done\n$/);
    expect((await readFile(join(folder, 'codes.zip'))).subarray(0, 2).toString()).toBe('PK');
    expect((await readFile(join(folder, 'part.zip'))).subarray(0, 2).toString()).toBe('PK');
    expect(await readFile(join(folder, 'manifest.ndjson'), 'utf8')).toMatch(/^\{"index":0,/);
    expect(await readdir(join(folder, 'pictures'))).toEqual(['example.org-1.png']);
    for (const name of ['labels.pdf', 'sheet.pdf']) {
      expect((await readFile(join(folder, name))).subarray(0, 5).toString()).toBe('%PDF-');
    }
  });

  it('put data together by patterns and kinds', async () => {
    const commands = snippetsOf('docs/make/files.md', 'patterns').join('\n');
    const qrpress = `qrpress() { '${process.execPath}' '${join(ROOT, 'dist', 'main.js')}' "$@"; }`;
    await run('bash', ['-euc', `${qrpress}\n${commands}`], { cwd: folder, env: environment });
    expect([...(await unzip(await readFile(join(folder, 'assets.zip')))).keys()]).toEqual(['Drill.png', 'Saw.png']);
    const [wifi] = (await unzip(await readFile(join(folder, 'wifi.zip')))).values();
    expect((await decodePng(wifi!)).text).toBe('WIFI:T:WPA;S:Guests\\; ground floor;P:welcome-here;;');
    const [program = ''] = snippetsOf('docs/make/files.md', 'patterns', 'ts');
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual([
      'WIFI:T:WPA;S:Guests\\; ground floor;P:welcome-here;;',
      'BEGIN:VCARD\r\nVERSION:3.0\r\nN:Doe;Jane;;;\r\nFN:Jane Doe\r\nTEL;TYPE=cell:+49 170 1234567\r\nEND:VCARD\r\n',
      'https://id.example/01/04006381333931/10/A%2F7',
    ]);
  });

  it.each([
    ['ts', process.execPath, '--input-type=module', '-e'],
    ['py', 'python3', '-c'],
  ] as const)('make one job in %s, although an answer is lost', async (language, program, ...words) => {
    const text = snippetsOf('docs/build/quick-start.md', 'guides', language).join('\n');
    const cwd = await mkdtemp(join(folder, 'job-'));
    await writeFile(join(cwd, 'qrpress.py'), snippetsOf('docs/build/clients.md', 'clients', 'py').join());
    const proxy = await FaultyProxy.open(service.url);
    proxy.chooseFault = faultsOfFirstTwo(proxy);
    await run(program, [...words, text], { cwd, env: { ...environment, QRPRESS_URL: proxy.origin } });
    await proxy.close();
    expect((await readFile(join(cwd, 'codes.zip'))).subarray(0, 2).toString()).toBe('PK');
    const [key, ...again] = idempotencyKeys(proxy);
    expect(key).toBeTruthy();
    expect(again).toEqual([key, key]);
  });

  it.each(['lose', 'refuse'] as const)('make one job in the shell, although connections break: %s', async (kind) => {
    const cwd = await mkdtemp(join(folder, 'shell-'));
    const proxy = await FaultyProxy.open(service.url);
    proxy.chooseFault = () => (proxy.passed.length % 2 === 1 ? { kind } : undefined);
    const post =
      snippetsOf('docs/build/errors-and-retries.md', 'guides').find((text) => text.includes('--retry')) ?? '';
    const follow = snippetsOf('docs/build/quick-start.md', 'guides').find((text) => text.includes('--retry')) ?? '';
    const { stdout } = await run(
      'bash',
      ['-euo', 'pipefail', '-c', `${post}\njob=$(jq -r .jobId job.json)\n${follow}`],
      {
        cwd,
        env: { ...environment, QRPRESS_URL: proxy.origin },
      },
    );
    await proxy.close();
    expect(stdout).toMatch(/^([0-9a-z]{26})\n\1\ncomplete\n$/);
  });

  it('say that pages of other addresses cannot read an answer: none has a CORS header', async () => {
    expect(await readFile(join(ROOT, 'docs/build/quick-start.md'), 'utf8')).toContain('no CORS headers');
    for (const method of ['GET', 'OPTIONS']) {
      const headers = { origin: 'https://example.org', 'access-control-request-method': 'GET' };
      const answer = await service.fetch('/api/v1/credits', { method, headers });
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it.each([
    ['member of a status', ['build/errors-and-retries', 'make/look'], Object.keys(JobResourceSchema.properties)],
    ['member of a manifest', ['build/downloads'], Object.keys(ManifestLineSchema.properties)],
  ])('name every %s', async (_, names, words) => {
    const texts = await Promise.all(names.map((name) => readFile(join(ROOT, `docs/${name}.md`), 'utf8')));
    const found = new Set(texts.join(' ').match(/\w+/g));
    expect(words.filter((word) => !found.has(word))).toEqual([]);
  });

  it('name every sheet of labels, with its sizes', async () => {
    const page = await readFile(join(ROOT, 'docs/make/print.md'), 'utf8');
    const mm = (length: number) => String(Math.round(length * 10) / 10);
    const sheets = LABEL_SHEETS.map(
      ({ product, labelWidth, labelHeight, columns, rows }) =>
        `${product}: ${mm(labelWidth)} × ${mm(labelHeight)}, ${columns * rows}`,
    );
    expect(sheets.filter((sheet) => !page.includes(sheet))).toEqual([]);
  });

  it('name pictures by the manifest', async () => {
    const cwd = join(folder, 'names', 'inside');
    await mkdir(cwd, { recursive: true });
    const items = ['Hall', '../Yard/1'].map((reference) => ({ data: reference, filename: 'table', reference }));
    const { jobId } = await service.submit(
      [{ format: 'both' }, ...items].map((line) => JSON.stringify(line)).join('\n'),
      {
        'content-type': 'application/x-ndjson',
      },
    );
    await service.ended(jobId);
    for (const [path, name] of [
      ['download', 'codes.zip'],
      ['manifest', 'manifest.ndjson'],
    ]) {
      const answer = await service.fetch(`/api/v1/jobs/${jobId}/${path}`);
      await writeFile(join(cwd, name as string), Buffer.from(await answer.arrayBuffer()));
    }
    await run('python3', ['-c', snippetsOf('docs/build/large-jobs.md', 'rename', 'py').join()], { cwd });
    expect((await readdir(cwd)).toSorted()).toEqual(
      ['Hall.png', 'Hall.svg', '..-Yard-1.png', '..-Yard-1.svg', 'codes.zip', 'manifest.ndjson'].toSorted(),
    );
    expect(await readdir(join(cwd, '..'))).toEqual(['inside']);
  });

  it.each([0, 100, Number.POSITIVE_INFINITY])(
    'go on in TypeScript behind %s bytes of an earlier run',
    async (bytes) => {
      const [create = '', follow = ''] = snippetsOf('docs/build/quick-start.md', 'guides', 'ts');
      const leave = `
import { writeFileSync } from 'node:fs';
const { stream: earlier } = await client.download(jobId);
const whole = new Uint8Array(await new Response(earlier).arrayBuffer());
writeFileSync(\`codes.zip.\${jobId}.part\`, whole.subarray(0, ${bytes}));
writeFileSync('whole.zip', whole);`;
      const [resume = ''] = snippetsOf('docs/build/downloads.md', 'guides', 'ts');
      const cwd = await mkdtemp(join(folder, 'resume-'));
      const program = [create, follow, leave, resume].join('\n');
      await run(process.execPath, ['--input-type=module', '-e', program], { cwd, env: environment });
      expect((await readdir(cwd)).toSorted()).toEqual(['codes.zip', 'whole.zip']);
      expect(await readFile(join(cwd, 'codes.zip'))).toEqual(await readFile(join(cwd, 'whole.zip')));
    },
  );

  it('are translated by the command of the page, where they are in TypeScript', async () => {
    const cwd = await mkdtemp(join(folder, 'types-'));
    await symlink(join(ROOT, 'node_modules', '@types'), join(folder, 'node_modules', '@types'));
    await writeFile(join(cwd, 'codes.mts'), snippetsOf('docs/build/quick-start.md', 'guides', 'ts').join('\n'));
    const page = await readFile(join(ROOT, 'docs/build/quick-start.md'), 'utf8');
    const [, words = ''] = /`npx tsc (.+?)`/.exec(page) ?? [];
    await run(join(ROOT, 'node_modules', '.bin', 'tsc'), words.split(' '), { cwd });
    expect((await readdir(cwd)).toSorted()).toEqual(['codes.mjs', 'codes.mts']);
  });

  it('make a large job in TypeScript', async () => {
    const [create] = snippetsOf('docs/build/quick-start.md', 'guides', 'ts');
    const [large] = snippetsOf('docs/build/large-jobs.md', 'guides', 'ts');
    const text = `${create}\n${large}\nconsole.log(total);`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', text], {
      cwd: folder,
      env: environment,
    });
    expect(stdout).toBe('300\n');
  });

  it.each([
    ['ts', process.execPath, '--input-type=module', '-e'],
    ['py', 'python3', '-c'],
  ] as const)('receive webhooks in %s', async (language, program, ...words) => {
    const port = await freePort();
    const [text = ''] = snippetsOf('docs/build/webhooks.md', 'guides', language);
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const receiver = spawn(program, [...words, text.replace('3000', `${port}`)], {
      cwd: folder,
      env: { ...environment, WEBHOOK_SECRET: secret },
    });
    const post = async (signature: string, body: string, timestamp: Date) =>
      fetch(`http://127.0.0.1:${port}`, {
        method: 'POST',
        headers: {
          'webhook-id': 'm1',
          'webhook-timestamp': `${Math.floor(timestamp.getTime() / 1000)}`,
          'webhook-signature': signature,
        },
        body,
      });
    const now = new Date();
    const body = JSON.stringify({ type: 'job.complete', timestamp: now.toISOString(), data: {} });
    const signature = new Webhook(secret).sign('m1', now, body);
    let answer: Response | undefined;
    while (answer === undefined && receiver.exitCode === null) {
      // It takes connections once it has started.
      answer = await post(signature, body, now).catch(() => undefined);
    }
    expect(answer?.status).toBe(204);
    expect((await post(signature, `${body} `, now)).status).toBe(401);
    expect((await post('v1,é', body, now)).status).toBe(401);
    expect((await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body })).status).toBe(401);
    receiver.kill();
    await once(receiver, 'exit');
  });

  it('show every option of a style, as this engine draws it', async () => {
    const guide = await readFile(join(ROOT, 'docs/make/look.md'), 'utf8');
    const posters = JSON.parse(await readFile(join(ROOT, 'examples', 'posters.json'), 'utf8')) as { style: Style };
    const pictures = [...guide.matchAll(/!\[.+?\]\((?<path>\S+) '(?<style>.*)'\)/g)].map(({ groups }) => ({
      path: groups?.['path'] ?? '',
      style: JSON.parse(groups?.['style'] ?? '') as Style,
    }));
    for (const { path, style } of pictures) {
      const logo = style.logo && { ...style.logo, dataUrl: posters.style.logo?.dataUrl ?? '' };
      const { jobId } = await service.submit({
        format: 'svg',
        style: { scale: 4, ...style, ...(logo && { logo }) },
        items: [{ data: 'https://example.org/table/12' }],
      });
      await service.ended(jobId);
      const drawn = await (await service.fetch(`/api/v1/jobs/${jobId}/items/0.svg`)).text();
      // `npm run pictures` draws them anew.
      expect(await readFile(join(ROOT, 'docs/make', path), 'utf8')).toBe(drawn);
      expect(await (await fetch(`${service.url}/docs/${path.replace('../', '')}`)).text()).toBe(drawn);
    }
    const options = (schema: { properties?: Record<string, object> }): string[] =>
      Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
        'properties' in member ? options(member as { properties: Record<string, object> }) : [name],
      );
    const shown = pictures.flatMap(({ style }) => Object.values({ style }).flatMap(leaves));
    expect([...new Set(shown)].toSorted()).toEqual(options(StyleSchema).toSorted());
  });
});

/** Names of the members that hold no object. */
function leaves(value: object): string[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    typeof member === 'object' && member !== null ? leaves(member) : [name],
  );
}
