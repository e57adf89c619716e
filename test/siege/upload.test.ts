/** Forms with files, as nobody's browser sends them: each is refused, leaves nothing, and the service answers the next request. */

import { readdir, readlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FIRST_STYLE } from '../../src/site/studio/studio-style.js';
import { sqlite } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';
import { type SignedUp, signUp } from '../support/visitor.js';

let service: TestService;
let ada: SignedUp;
beforeAll(async () => {
  service = await startTestService(sqlite);
  ada = await signUp(service);
  await ada.visitor.get(`${ada.base}/studio`);
});
afterAll(() => service.close());

const FILE = 'Content-Disposition: form-data; name="file"; filename="a.csv"';
const field = (name: string, value: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
const token = () => field('csrf', ada.visitor.csrf);
const form = (...parts: string[]) => `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`;

/** The fields that every form of the studio has, behind its token. */
const style = (submission: string) =>
  Object.entries({ csrf: ada.visitor.csrf, ...FIRST_STYLE, submission, seen: '1' })
    .map(([name, value]) => `--b\r\n${field(name, value)}\r\n`)
    .join('');

/** The status of the answer to a form of the studio, sent by the byte. */
async function send(body: string, boundary = 'b'): Promise<number> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const cookies = Array.from(ada.visitor.cookies, ([name, value]) => `${name}=${value}`).join('; ');
  const head = [
    `POST ${ada.base}/studio HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Origin: ${service.url}`,
    `Cookie: ${cookies}`,
    `Content-Type: multipart/form-data; boundary=${boundary}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1');
  });
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  await new Promise<void>((resolve, reject) => socket.on('close', () => resolve()).on('error', reject));
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}

/** Remains of uploads: files, and descriptors of this process. */
async function leftovers(): Promise<string[]> {
  const files = (await readdir(service.config.dataDir, { recursive: true })).filter((name) => /upload|body/.test(name));
  const descriptors = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return [...files, ...descriptors.filter((path) => /\.upload|\.body|\(deleted\)/.test(path))];
}

it.each([
  ['an encoding of its own', () => form(token(), `${FILE}\r\nContent-Transfer-Encoding: 8bit\r\n\r\ndata\nx`), 303],
  ['a header that never ends', () => `--b\r\n${token()}\r\n--b\r\nX: ${'a'.repeat(2_000_000)}`, 400],
  ['a header of many lines', () => `--b\r\n${token()}\r\n--b\r\n${'X: a\r\n'.repeat(300_000)}`, 400],
  ['no end', () => `--b\r\n${token()}\r\n--b\r\n${FILE}\r\n\r\ndata\nx`, 400],
  ['no part at all', () => 'x'.repeat(100_000), 400],
  ['too many parts', () => form(token(), ...Array.from({ length: 1_100 }, (_, n) => field(`f${n}`, 'x'))), 413],
  ['a field of two megabytes', () => form(token(), field('items', 'x'.repeat(2_000_000))), 413],
  [
    'fields of two megabytes together',
    () => form(token(), ...Array.from({ length: 50 }, (_, n) => field(`f${n}`, 'x'.repeat(40_000)))),
    413,
  ],
  ['a file that no form has', () => form(token(), FILE.replace('"file"', '"virus"')), 400],
  ['the same file twice', () => form(token(), `${FILE}\r\n\r\na`, `${FILE}\r\n\r\nb`), 400],
  [
    'a logo of a megabyte',
    () => form(token(), `${FILE.replace('"file"', '"logo"')}\r\n\r\n${'x'.repeat(1_000_000)}`),
    422,
  ],
  ['the token behind a file', () => form(`${FILE}\r\n\r\ndata\nx`, token()), 403],
  ['a wrong token before a file', () => form(field('csrf', 'x'), `${FILE}\r\n\r\n${'data\n'.repeat(400_000)}`), 403],
  ['no token', () => form(field('items', 'x')), 403],
  ['names of the prototype', () => form(token(), field('__proto__', 'x'), field('constructor', 'x')), 422],
])('a form with %s is answered', async (_, body, status) => {
  const whole = status === 303 ? style('once') + body() : body();
  expect(await send(whole)).toBe(status);
  expect(await leftovers()).toEqual([]);
});

it('a form with a boundary of kilobytes is refused', async () => {
  expect(await send('', 'a'.repeat(8_000))).toBe(400);
});

it('40 refused files leave no descriptor', async () => {
  for (let sent = 0; sent < 40; sent += 1) {
    const file = `${FILE}\r\n\r\nno,columns\n${'x,y\n'.repeat(250_000)}`;
    expect(await send(style(`${sent}`) + form(file))).toBe(422);
  }
  expect(await leftovers()).toEqual([]);
});
