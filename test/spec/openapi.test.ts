import type { RequestBodyObject } from 'openapi3-ts/oas31';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDocument } from '../../src/api/docs/document.js';
import { sqlite } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(sqlite);
});
afterAll(() => service.close());

const get = (headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${service.url}/api/v1/openapi.json`, { method, headers });

it('answers the document to anybody', { tags: ['document/valid'] }, async () => {
  const response = await get();
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(createDocument(service.config))));
});

it('answers 304 to whoever has it', async () => {
  const etag = (await get()).headers.get('etag') ?? '';
  const response = await get({ 'if-none-match': etag });
  expect(response.status).toBe(304);
  expect(response.headers.get('etag')).toBe(etag);
  expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
});

it('answers HEAD without the document', async () => {
  const response = await get({}, 'HEAD');
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(10_000);
  expect(await response.text()).toBe('');
});

it('has examples of bodies that the service takes', async () => {
  const { requestBody } = createDocument(service.config).paths?.['/api/v1/jobs']?.post ?? {};
  const { content } = requestBody as RequestBodyObject;
  for (const [type, { examples = {} }] of Object.entries(content)) {
    for (const { value } of Object.values(examples) as { value: unknown }[]) {
      const body = typeof value === 'string' ? value : JSON.stringify(value);
      const headers = { 'content-type': type };
      const response = await service.fetch('/api/v1/jobs/validate', { method: 'POST', headers, body });
      expect(response.status, await response.text()).toBe(200);
    }
  }
});
