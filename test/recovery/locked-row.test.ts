/** A row that somebody else holds for long: a dump, an `ALTER`, a person at a console. */

import { createConnection } from 'mysql2/promise';
import { expect, test, vi } from 'vitest';
import { DATABASES } from '../support/databases.js';
import { describeUnless } from '../support/describe-unless.js';
import { startTestService } from '../support/service.js';

vi.setConfig({ testTimeout: 60_000 });

const JOB = { items: [{ data: 'https://example.org/1' }] };

for (const kind of DATABASES.filter(({ name }) => name !== 'SQLite')) {
  describeUnless(kind.absent, `the row of an organisation is locked on ${kind.name}`, () => {
    test('its jobs are refused for now, and those of others are made', async () => {
      const service = await startTestService(kind);
      const holder = await createConnection(service.config.databaseUrl);
      try {
        const { key } = await service.createAccount(100);
        await holder.beginTransaction();
        await holder.query('select balance from organisations where id = ? for update', [service.organisationId]);
        const locked = Array.from({ length: 4 }, () => service.post(JOB));
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
        for (let round = 0; round < 5; round++) {
          const others = await Promise.all(Array.from({ length: 4 }, () => service.post(JOB, headers)));
          expect(others.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
        }
        for (const answer of await Promise.all(locked)) {
          expect(answer.status).toBe(503);
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
          expect(await answer.json()).toMatchObject({ error: 'unavailable' });
        }
        await holder.rollback();
        const before = await service.balance();
        await service.submit(JOB);
        expect(await service.balance()).toBe(before - 1);
      } finally {
        await holder.end();
        await service.close();
      }
    });
  });
}
