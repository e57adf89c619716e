/** The package `@qrpress/client`: its files, and its types for somebody who has nothing else installed. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { writeClientPackage } = (await import(join(ROOT, 'scripts/packaging/client-package.js'))) as {
  writeClientPackage: (folder: string) => Promise<void>;
};

/** Types that the package exports and that the sources take from TypeBox. Neither may have a member that the other lacks. */
const SAME = `
import type * as Packaged from './client.js';
import type * as Source from '${ROOT}dist/client/client.js';
type Same<One, Other> = (<T>() => T extends Flat<One> ? 1 : 2) extends <T>() => T extends Flat<Other> ? 1 : 2 ? true : false;
type Flat<T> = T extends object ? { [Key in keyof T]: Flat<T[Key]> } : T;
export const same: {
  credits: Same<Packaged.CreditBalance, Source.CreditBalance>;
  item: Same<Packaged.Item, Source.Item>;
  created: Same<Packaged.JobCreated, Source.JobCreated>;
  list: Same<Packaged.JobList, Source.JobList>;
  meta: Same<Packaged.JobMeta, Source.JobMeta>;
  request: Same<Packaged.JobRequest, Source.JobRequest>;
  job: Same<Packaged.JobResource, Source.JobResource>;
  validation: Same<Packaged.JobValidation, Source.JobValidation>;
  sheet: Same<Packaged.LabelSheet, Source.LabelSheet>;
  line: Same<Packaged.ManifestLine, Source.ManifestLine>;
  message: Same<Packaged.WebhookMessage, Source.WebhookMessage>;
  labels: Same<Packaged.LabelOptions, Source.LabelOptions>;
  body: Same<Packaged.QrpressError['body'], Source.QrpressError['body']>;
} = {
  credits: true, item: true, created: true, list: true, meta: true, request: true, job: true, validation: true, sheet: true,
  line: true, message: true, labels: true, body: true,
};
`;

/** A program of a page: it sees the types of browsers, and no package. */
const PAGE = `
import { Client, QrpressError, type JobResource, verifyWebhook } from '@qrpress/client';
const client = new Client({ url: location.origin, key: 'key' });
export async function run(): Promise<JobResource['status']> {
  const { jobId } = await client.createJob({ format: 'svg', style: { ecLevel: 'H', version: 'same' }, items: [{ data: 'a' }] });
  for await (const { status } of client.progress(jobId)) if (status === 'failed') return status;
  for await (const { files } of client.manifest(jobId)) console.log(files.map(({ crc32 }) => crc32));
  const { stream } = await client.download(jobId);
  await stream.cancel();
  const message = await verifyWebhook('', new Headers(), 'whsec_');
  return message.type === 'credits.low' ? 'failed' : message.data.status;
}
// @ts-expect-error there is no such format
client.createJob({ format: 'gif', items: [] }).catch((error) => error instanceof QrpressError);
`;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'qrpress-client-'));
  await writeClientPackage(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

function compile(name: string, text: string, ...words: string[]): string {
  writeFileSync(join(folder, name), text);
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
  const options = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--module',
    'nodenext',
    '--target',
    'es2023',
  ];
  const { stdout } = spawnSync(tsc, [...options, ...words, name], { cwd: folder, encoding: 'utf8' });
  rmSync(join(folder, name));
  return stdout;
}

it('has these files, and imports nothing else', () => {
  const files = readdirSync(folder).toSorted();
  const code = ['client', 'connection', 'streams', 'webhook'].flatMap((name) => [`${name}.d.ts`, `${name}.js`]);
  expect(files).toEqual([...code, 'LICENSE', 'README.md', 'contract.d.ts', 'package.json'].toSorted());
  for (const name of files.filter((file) => file.endsWith('s'))) {
    const text = readFileSync(join(folder, name), 'utf8');
    const imports = [...text.matchAll(/(?:from |import\(?)['"]([^'"]+)['"]/g)].map(([, from = '']) => from);
    for (const from of imports) expect(files).toContain(from.replace('./', '').replace('contract.js', 'contract.d.ts'));
    expect(text).not.toContain('sourceMappingURL');
  }
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object;
  expect(manifest).toMatchObject({ name: '@qrpress/client', type: 'module' });
  expect(manifest).not.toHaveProperty('private');
  expect(manifest).not.toHaveProperty('dependencies');
});

it('has the types of the sources', () => {
  expect(
    compile('same.ts', SAME, '--skipLibCheck', '--types', 'node', '--typeRoots', `${ROOT}node_modules/@types`),
  ).toBe('');
});

it('compiles for browsers, where no other package is installed', () => {
  expect(compile('page.ts', PAGE, '--lib', 'es2023,dom,dom.iterable,dom.asynciterable', '--types', '')).toBe('');
});
