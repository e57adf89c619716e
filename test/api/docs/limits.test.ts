/** The limits that `/docs/limits` names and the schemas do not: each is taken, and one more is refused. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { LIMITS } from '../../../src/contract/limits.js';
import { sqlite } from '../../support/databases.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(sqlite);
});
afterAll(() => service.close());

it.each(Object.entries(LIMITS.dataBytes))('level %s holds %d bytes', async (ecLevel, bytes) => {
  const page = await (await fetch(`${service.url}/docs/limits.md`)).text();
  expect(page).toContain(`${ecLevel}: ${bytes.toLocaleString('en')}`);
  const check = async (data: string) => {
    const response = await service.fetch('/api/v1/jobs/validate', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ style: { ecLevel, scale: 2 }, items: [{ data }] }),
    });
    return { status: response.status, text: await response.text() };
  };
  expect(await check('a'.repeat(bytes))).toMatchObject({ status: 200 });
  const refused = await check(`${'a'.repeat(bytes - 1)}ä`);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('data_too_long');
});
