import { afterAll, beforeAll, expect, it } from 'vitest';
import { SignedUrls } from '../../src/api/signed-urls.js';
import { sqlite } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';

const SECRETS = ['the only secret'];

/** Headers that two answers to the same question need not share. */
const OF_ONE_ANSWER = new Set(['connection', 'date', 'keep-alive', 'ratelimit', 'x-request-id']);

let service: TestService;
/** The paths of a complete job, with the parts of a path that a request names. */
let paths: Record<string, string>;
beforeAll(async () => {
  service = await startTestService(sqlite, { secrets: SECRETS });
  const { jobId, statusUrl, downloadUrl } = await service.submit({ items: [{ data: '1' }] });
  await service.ended(jobId);
  const [token = ''] = /[^/]+(?=\?)/.exec(downloadUrl) ?? [];
  const urls = new SignedUrls(SECRETS);
  paths = {
    credits: '/api/v1/credits',
    job: `/api/v1/jobs/${jobId}`,
    download: `/api/v1/jobs/${jobId}/download`,
    'another job': '/api/v1/jobs/unknown',
    "another job's download": '/api/v1/jobs/unknown/download',
    'status link': statusUrl,
    'download link': downloadUrl,
    'changed link': `${downloadUrl}x`,
    'old status link': urls.sign('status', token, Date.now() - 1_000),
    'old download link': urls.sign('download', token, Date.now() - 1_000),
    'link to nothing': urls.sign('download', '0'.repeat(26), Date.now() + 60_000),
    document: '/api/v1/openapi.json',
    docs: '/docs',
    nowhere: '/api/v1/nowhere',
  };
});
afterAll(() => service.close());

it.each<[string, number, Record<string, string>?]>([
  ['credits', 200],
  ['credits', 401, { authorization: 'Bearer wrong' }],
  ['job', 200],
  ['job', 304, { 'if-none-match': '*' }],
  ['another job', 404],
  ['download', 200],
  ['download', 304, { 'if-none-match': '*' }],
  ['download', 401, { authorization: 'Bearer wrong' }],
  ["another job's download", 404],
  ['status link', 200],
  ['status link', 304, { 'if-none-match': '*' }],
  ['old status link', 410],
  ['download link', 200],
  ['download link', 304, { 'if-none-match': '*' }],
  ['changed link', 403],
  ['old download link', 410],
  ['link to nothing', 404],
  ['document', 200],
  ['document', 304, { 'if-none-match': '*' }],
  ['docs', 200],
  ['nowhere', 404],
])('HEAD of %s answers as GET, without a body: %d', { tags: ['http/head'] }, async (name, status, headers = {}) => {
  const ask = (method: string) => service.fetch(paths[name] ?? '', { method, headers });
  const [whole, head] = [await ask('GET'), await ask('HEAD')];
  expect([whole.status, head.status]).toEqual([status, status]);
  expect(await head.text()).toBe('');
  expect(shared(head)).toEqual(shared(whole));
  await whole.arrayBuffer();
});

function shared({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !OF_ONE_ANSWER.has(name)));
}
