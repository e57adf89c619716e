/** Previews of the studio, 240 at once, each with the largest logo: others wait for fractions of a second. */

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { EngineProcessHandle } from '../../src/engine/engine-process-handle.js';
import { FIRST_STYLE } from '../../src/site/studio/studio-style.js';
import { sqlite } from '../support/databases.js';
import { blackPng, dataUrl } from '../support/png.js';
import { startTestService, type TestService } from '../support/service.js';
import { signUp, type Visitor } from '../support/visitor.js';
import { type Siege, startSiege } from './bystander.js';
import { member } from './member.js';

const PEOPLE = 24;
const PREVIEWS = 240;
/** Rounds of so many previews: the first one alone takes a second. */
const ROUNDS = 3;
const EVENT_LOOP_P99_MS = 50;

const LOGO = dataUrl(blackPng(4_096));
const PREVIEW = JSON.stringify({ fields: { ...FIRST_STYLE, logo: LOGO }, items: [{ data: 'a' }, { data: 'b' }] });

let siege: Siege;
beforeAll(async () => {
  siege = await startSiege();
});
afterAll(() => siege.close());

/** Bytes of the person's request: to build each of them anew would keep this process from measuring. */
function requestOf({ cookies, csrf }: Visitor, path: string): Buffer {
  const headers = {
    Host: new URL(siege.url).host,
    Origin: siege.url,
    Connection: 'close',
    Cookie: [...cookies].map((cookie) => cookie.join('=')).join('; '),
    'X-Form-Token': csrf,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(PREVIEW),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${PREVIEW}`);
}

/** Status of the answer to a request. */
async function statusOf(request: Buffer): Promise<number> {
  const socket = connect(siege.port, '127.0.0.1');
  socket.write(request);
  const [head] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return Number(head.toString('latin1', 9, 12));
}

it(`${PREVIEWS} previews at once`, { timeout: 180_000 }, async () => {
  const { organisationId } = await siege.createAccount(0);
  const base = `/account/o/${organisationId}/studio`;
  const people: Visitor[] = [];
  for (let number = 0; number < PEOPLE; number += 1) {
    const visitor = await member(siege, organisationId, number);
    await visitor.get(base);
    people.push(visitor);
  }
  const statuses = new Map<number, number>();
  const requests = people.map((visitor) => requestOf(visitor, `${base}/preview`));
  const ask = async (request: Buffer) => {
    const status = await statusOf(request);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  await siege.withstand(async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await Promise.all(Array.from({ length: PREVIEWS }, (_, n) => ask(requests[n % PEOPLE] as Buffer)));
    }
  });
  expect([...statuses.keys()].filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
  expect(statuses.get(200)).toBeGreaterThanOrEqual(ROUNDS);
  siege.expectFreeEventLoop(EVENT_LOOP_P99_MS);
});

it('is a drawing of a pixel for each module and one of the codes, and at a scale that is not shown another one, that is scanned', async () => {
  const service: TestService = await startTestService(sqlite);
  const ada = await signUp(service);
  await ada.visitor.get(`${ada.base}/studio`);
  const send = vi.spyOn(EngineProcessHandle.prototype, 'send');
  const headers = { origin: service.url, 'content-type': 'application/json', 'x-form-token': ada.visitor.csrf };
  const drawings: number[] = [];
  for (const scale of ['8', '40']) {
    send.mockClear();
    const body = JSON.stringify({ fields: { ...FIRST_STYLE, scale, logo: LOGO } });
    expect((await ada.visitor.request(`${ada.base}/studio/preview`, { method: 'POST', headers, body })).status).toBe(
      200,
    );
    const names = send.mock.calls.map(([{ name }]) => name);
    drawings.push(names.filter((name) => ['check', 'renderChunk', 'drawSamples'].includes(name)).length);
  }
  expect(drawings).toEqual([2, 3]);
  await service.close();
});
