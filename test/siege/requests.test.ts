/** Requests whose answers take milliseconds, a hundred at a time. */

import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Siege, startSiege } from './bystander.js';

const AT_ONCE = 100;
const SECONDS = 3;
const JOBS = 100;
const EVENT_LOOP_P99_MS = 50;

let siege: Siege;
let key: string;
beforeAll(async () => {
  siege = await startSiege();
  ({ key } = await siege.createAccount(JOBS));
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  for (let job = 0; job < JOBS; job += 1) {
    const body = JSON.stringify({ items: [{ data: `${job}` }] });
    expect((await fetch(`${siege.url}/api/v1/jobs`, { method: 'POST', headers, body })).status).toBe(202);
  }
}, 60_000);
afterAll(() => siege.close());

it.each(['/api/v1/jobs?limit=100', '/docs', '/api/v1/openapi.json', '/metrics'])(
  `${AT_ONCE} at once: %s`,
  { timeout: 60_000 },
  async (path) => {
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
    const ask = async () => {
      const request = get(siege.url + path, { agent, headers: { authorization: `Bearer ${key}` } });
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      expect(answer.statusCode).toBe(200);
      await once(answer.resume(), 'end');
    };
    await siege.withstand(async () => {
      const end = performance.now() + SECONDS * 1_000;
      const askAgain = async () => {
        while (performance.now() < end) await ask();
      };
      await Promise.all(Array.from({ length: AT_ONCE }, askAgain));
    });
    agent.destroy();
    siege.expectFreeEventLoop(EVENT_LOOP_P99_MS);
  },
);
