/** Checks of one account, which are free of charge, while others use the service. */

import { afterEach, beforeEach, expect, it } from 'vitest';
import { blackPng, dataUrl } from '../support/png.js';
import { type Siege, startSiege } from './bystander.js';

/** Bodies at once: fewer than the places that one account gets. */
const AT_ONCE = 120;

let siege: Siege;
beforeEach(async () => {
  siege = await startSiege();
});
afterEach(() => siege.close());

/** Posts a body, and returns the status of the answer. */
async function post(key: string, path: string, body: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(siege.url + path, { method: 'POST', headers, body });
  await answer.arrayBuffer();
  return answer.status;
}

it('a hundred jobs that nobody pays, each drawn for half a second', { timeout: 180_000 }, async () => {
  const { key } = await siege.createAccount(0);
  const style = { ecLevel: 'H', scale: 40, logo: { dataUrl: dataUrl(blackPng(4_096)), sizeRatio: 0.3 } };
  const caption = (item: number) => `${item} ${'ש漢ي'.repeat(30)}`;
  const items = Array.from({ length: 90 }, (_, item) => ({ data: `${item}`.padEnd(200, 'x'), caption: caption(item) }));
  const body = JSON.stringify({ format: 'both', style, items });
  await siege.withstand(async () => {
    const statuses = await Promise.all(Array.from({ length: AT_ONCE }, () => post(key, '/api/v1/jobs', body)));
    expect(new Set(statuses)).toEqual(new Set([402]));
  });
});

it('lets a larger body of another account pass the many of one', { timeout: 180_000 }, async () => {
  const [many, other] = [await siege.createAccount(0), await siege.createAccount(0)];
  const items = (count: number, seed: number) =>
    Array.from({ length: count }, (_, n) => ({ data: `${n}`, caption: `${seed} ${n} ${'ש漢ي'.repeat(30)}` }));
  let answered = 0;
  const posted = Array.from({ length: 20 }, async (_, seed) => {
    const status = await post(many.key, '/api/v1/jobs/validate', JSON.stringify({ items: items(5_000, seed) }));
    answered += 1;
    return status;
  });
  await Promise.race(posted);
  expect(await post(other.key, '/api/v1/jobs/validate', JSON.stringify({ items: items(300, 0) }))).toBe(200);
  expect(answered).toBeLessThan(10);
  expect(new Set(await Promise.all(posted))).toEqual(new Set([200]));
});
