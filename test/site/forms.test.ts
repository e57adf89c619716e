/** Memory, time and places that forms take while they are read and answered. */

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { brotliCompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AdmissionControl } from '../../src/admission/admission-control.js';
import { FIRST_STYLE } from '../../src/site/studio/studio-style.js';
import { sqlite } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';
import { mailedPath, signUp, Visitor } from '../support/visitor.js';

let service: TestService;
beforeEach(async () => {
  service = await startTestService(sqlite);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await service.close();
});

it.each(['br', 'gzip', 'deflate', 'BR'])('refuses a form in %s: a decoder may take 16 MB', async (coding) => {
  const body = new Uint8Array(brotliCompressSync('email=ada%40example.org'));
  const headers = {
    origin: service.url,
    'content-type': 'application/x-www-form-urlencoded',
    'content-encoding': coding,
  };
  const answer = await new Visitor(service).request('/account/sign-in', { method: 'POST', headers, body });
  expect(answer.status).toBe(415);
});

it('says of a form that is too large how large it may be', async () => {
  const headers = { origin: service.url, 'content-type': 'application/x-www-form-urlencoded' };
  const body = `email=${'a'.repeat(40_000)}`;
  const answer = await new Visitor(service).request('/account/sign-in', { method: 'POST', headers, body });
  expect(answer.status).toBe(413);
  expect(answer.html).toMatch(/What you sent is larger than 33\s?kB\./);
});

it('says of a file that is too large how large it may be, before it takes room on the disk', async () => {
  const { visitor, base } = await signUp(service);
  const headers = {
    origin: service.url,
    cookie: Array.from(visitor.cookies, ([name, value]) => `${name}=${value}`).join('; '),
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': 700_000_000,
  };
  const form = request(`${service.url}${base}/studio`, { method: 'POST', headers });
  form.flushHeaders();
  const [answer] = (await once(form, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(413);
  expect(await textOf(answer)).toMatch(/What you sent is larger than 102\s?MB\./);
  form.destroy();
});

it('parses no JSON of a million brackets', async () => {
  const { visitor, base } = await signUp(service);
  await visitor.get(`${base}/studio`);
  const headers = { origin: service.url, 'content-type': 'application/json', 'x-form-token': visitor.csrf };
  const parse = vi.spyOn(JSON, 'parse');
  for (const body of ['['.repeat(400_000) + ']'.repeat(400_000), `[${'{},'.repeat(300_000)}1]`]) {
    const answer = await visitor.request(`${base}/studio/preview`, { method: 'POST', headers, body });
    expect(answer.status).toBe(400);
  }
  expect(parse.mock.calls.filter(([text]) => text.length > 100_000)).toEqual([]);
});

it('parses no first line of a file that has a million brackets', async () => {
  const { visitor, base } = await signUp(service);
  await visitor.get(`${base}/studio`);
  const file = new File([`${'['.repeat(500_000)}${']'.repeat(500_000)}\n{"data":"a"}\n`], 'a.ndjson');
  const parse = vi.spyOn(JSON, 'parse');
  expect((await visitor.upload(`${base}/studio`, FIRST_STYLE, { file })).status).toBe(422);
  expect(parse.mock.calls.filter(([text]) => text.length > 100_000)).toEqual([]);
});

it('closes the connection of a form that does not arrive', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    let isClosed = false;
    socket.once('close', () => (isClosed = true));
    const before = vi.getTimerCount();
    const head = ['POST /account/sign-in HTTP/1.1', `Host: ${hostname}:${port}`, `Origin: ${service.url}`];
    socket.write(
      [...head, 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 100', '', 'email='].join('\r\n'),
    );
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(before), { timeout: 20_000 });
    // The timer that was added may be another one.
    const passed = () => {
      vi.advanceTimersByTime(10_000);
      expect(isClosed).toBe(true);
    };
    await vi.waitFor(passed, { timeout: 20_000 });
  } finally {
    vi.useRealTimers();
  }
});

it('hashes no password without a place for it', async () => {
  const take = vi.spyOn(AdmissionControl.prototype, 'take');
  const places = () => take.mock.calls.splice(0).map(([work]) => work);
  const { visitor, email, password: current } = await signUp(service);
  expect(places()).toEqual(['signIn']);
  const password = 'a difference of engines';
  await visitor.get('/account/you');
  await visitor.post('/account/you/password', { current, password });
  expect(places()).toEqual(['signIn']);
  await visitor.post('/account/you/address', { email: 'other@example.org', current: password });
  expect(places()).toEqual(['signIn']);
  await visitor.get('/account/sign-in');
  await visitor.post('/account/forgot', { email });
  // The first mail is about the changed password.
  await mailedPath(service, email);
  const link = await mailedPath(service, email);
  await visitor.get(link);
  await visitor.post(link, { password: 'yet another set of words' });
  expect(places()).toEqual(['signIn']);
  const owner = await signUp(service);
  await owner.visitor.get(`${owner.base}/members`);
  await owner.visitor.post(`${owner.base}/invitations`, { email: 'guest@example.org', role: 'member' });
  places();
  const guest = new Visitor(service);
  const invitation = await mailedPath(service, 'guest@example.org');
  await guest.get(invitation);
  await guest.post(invitation, { name: 'Guest', password: 'words of an honest guest' });
  expect(places()).toEqual(['signIn']);
});

it('estimates no password for a link that has ended', async () => {
  const visitor = new Visitor(service);
  await visitor.get('/account/sign-in');
  const answer = await visitor.post(`/account/reset/${'x'.repeat(43)}`, { password: '12345678' });
  expect(answer.status).toBe(410);
});

it('draws the code of a second factor itself, not in the process that reads strangers’ files', async () => {
  const { visitor } = await signUp(service);
  const take = vi.spyOn(AdmissionControl.prototype, 'take');
  expect((await visitor.get('/account/you/second-factor')).status).toBe(200);
  expect(take).not.toHaveBeenCalled();
});
