/** Requests whose end two readers could see at different places: answered once, and the connection is closed. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../support/databases.js';
import { exchange } from '../support/raw-http.js';
import { startTestService, type TestService } from '../support/service.js';

/** Older Nodes hide the headers beyond the two thousandth, newer ones refuse them themselves. */
const TOO_MANY_HEADERS = Number(process.versions.node.split('.')[0]) < 24 ? 400 : 431;

let service: TestService;
beforeAll(async () => {
  service = await startTestService(sqlite);
});
afterAll(() => service.close());

/** Refused for what it says, when it is read at all. */
const BODY = '{"items":[{"data":""}]}';
const CHUNKED = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
/** The request that an attacker hides in the body of another. */
const SMUGGLED = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

const authorization = () => `Authorization: Bearer ${service.key}`;
const post = (headers: string[], body: string) =>
  [
    'POST /api/v1/jobs HTTP/1.1',
    'Host: localhost',
    authorization(),
    'Content-Type: application/json',
    ...headers,
    '',
    body,
  ].join('\r\n');
const get = (requestLine: string, ...headers: string[]) =>
  [requestLine, 'Connection: close', ...headers, '', ''].join('\r\n');

describe('a body whose length is told in two ways, or in none that is known', () => {
  it.each([
    ['a length and chunks', ['Content-Length: 6', 'Transfer-Encoding: chunked'], `0\r\n\r\n${SMUGGLED}`],
    ['chunks and a length', ['Transfer-Encoding: chunked', `Content-Length: ${CHUNKED.length}`], CHUNKED + SMUGGLED],
    ['two lengths', [`Content-Length: ${BODY.length}`, 'Content-Length: 0'], BODY + SMUGGLED],
    ['the same length twice', [`Content-Length: ${BODY.length}`, `Content-Length: ${BODY.length}`], BODY],
    ['a list of lengths', [`Content-Length: ${BODY.length}, ${BODY.length}`], BODY],
    ['a length with a sign', [`Content-Length: +${BODY.length}`], BODY],
    ['a hexadecimal length', ['Content-Length: 0x17'], BODY],
    ['a negative length', ['Content-Length: -1'], BODY],
    ['a length beyond 64 bits', ['Content-Length: 99999999999999999999999'], BODY],
    ['a folded header', ['X-Folded: a', ' b', `Content-Length: ${BODY.length}`], BODY],
    ['a folded coding', ['Transfer-Encoding:', ' chunked'], CHUNKED],
    ['a space before the colon', [`Content-Length : ${BODY.length}`], BODY],
    ['a space before the colon of a coding', ['Transfer-Encoding : chunked'], CHUNKED],
    ['an unknown coding', ['Transfer-Encoding: xchunked'], CHUNKED],
    ['a coding that is none', ['Transfer-Encoding: identity', `Content-Length: ${BODY.length}`], BODY],
    ['chunks of chunks', ['Transfer-Encoding: chunked, chunked'], CHUNKED],
    ['a coding above the chunks', ['Transfer-Encoding: chunked, gzip'], CHUNKED],
    ['a coding below the chunks', ['Transfer-Encoding: gzip, chunked'], CHUNKED],
    ['two codings', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], CHUNKED],
    ['the same coding twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], CHUNKED],
    ['a vertical tab before the coding', ['Transfer-Encoding: \x0bchunked'], CHUNKED],
    ['a chunk of no length', ['Transfer-Encoding: chunked'], `zz\r\n${BODY}\r\n0\r\n\r\n`],
    ['a chunk of negative length', ['Transfer-Encoding: chunked'], `-1\r\n${BODY}\r\n0\r\n\r\n`],
    ['a chunk beyond 64 bits', ['Transfer-Encoding: chunked'], `fffffffffffffffff\r\n${BODY}\r\n0\r\n\r\n`],
    ['a chunk that is longer than it says', ['Transfer-Encoding: chunked'], `1\r\n${BODY}\r\n0\r\n\r\n`],
    ['an extension that ends the line', ['Transfer-Encoding: chunked'], `17;a\n${BODY}\r\n0\r\n\r\n`],
    ['a length behind the chunks', ['Transfer-Encoding: chunked'], `17\r\n${BODY}\r\n0\r\nContent-Length: 5\r\n\r\n`],
    ['a carriage return inside a header', ['X-A: a\rContent-Length: 5', `Content-Length: ${BODY.length}`], BODY],
    ['a NUL inside a header', ['X-A: a\0b', `Content-Length: ${BODY.length}`], BODY],
    ['a header without a colon', ['Content-Length', `Content-Length: ${BODY.length}`], BODY],
    ['a header without a name', [': 5', `Content-Length: ${BODY.length}`], BODY],
    ['a header with a space in its name', ['X Content-Length: 5', `Content-Length: ${BODY.length}`], BODY],
  ])('is refused: %s', { tags: ['http/ambiguous'] }, async (_, headers, body) => {
    const answers = await exchange(service.url, post(headers, body));
    expect(answers.map(({ status, error }) => [status, error])).toEqual([[400, 'invalid_input']]);
    expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ issues: [{ path: '', code: 'invalid_header' }] });
    expect(answers[0]?.headers.get('connection')).toBe('close');
    expect(answers[0]?.headers.get('x-request-id')).toMatch(/^[\w-]{16}$/);
  });

  it('is refused where lines end in line feeds alone', async () => {
    const [answer, ...others] = await exchange(service.url, post(['Content-Length: 23'], BODY).replaceAll('\r', ''));
    expect([answer?.status, others]).toEqual([400, []]);
  });

  it('is refused where HTTP/1.0 has no chunks', async () => {
    const bytes = post(['Transfer-Encoding: chunked'], CHUNKED).replace('HTTP/1.1', 'HTTP/1.0');
    expect((await exchange(service.url, bytes)).map(({ status }) => status)).toEqual([400]);
  });
});

it('takes two requests for two, and the body of the first for no more than it is', async () => {
  const next = get('GET /healthz HTTP/1.1', 'Host: localhost');
  for (const [headers, body] of [
    [[`Content-Length: ${BODY.length}`], BODY],
    [['Transfer-Encoding: chunked'], CHUNKED],
    [['transfer-encoding:\tCHUNKED'], `17;name="value"\r\n${BODY}\r\n0\r\nX-Trailer: 1\r\n\r\n`],
  ] as const) {
    const answers = await exchange(service.url, post([...headers], body) + next);
    expect(answers.map(({ status }) => status)).toEqual([400, 200]);
    expect(answers[0]?.body).toContain('/items/0/data');
  }
  const unread = `GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`;
  expect(await exchange(service.url, unread + next)).toHaveLength(2);
});

it.each([
  ['no HTTP', 'nonsense', [], 400],
  ['no host', 'GET /healthz HTTP/1.1', [], 400],
  ['two hosts', 'GET /healthz HTTP/1.1', ['Host: a', 'Host: b'], 400],
  ['two keys', 'GET /api/v1/credits HTTP/1.1', ['Host: a', 'KEY', 'Authorization: Bearer b'], 400],
  ['two types', 'GET /healthz HTTP/1.1', ['Host: a', 'Content-Type: a/b', 'Content-Type: c/d'], 400],
  ['HTTP/2.0', 'GET /healthz HTTP/2.0', ['Host: a'], 400],
  ['HTTP/1.2', 'GET /healthz HTTP/1.2', ['Host: a'], 400],
  ['HTTP/0.9', 'GET /healthz', [], 400],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0', ['', 'SM'], 400],
  ['an unknown method', 'BREW /healthz HTTP/1.1', ['Host: a'], 400],
  ['a method in lower case', 'get /healthz HTTP/1.1', ['Host: a'], 400],
  ['a scheme without a host', 'GET http:// HTTP/1.1', ['Host: a'], 400],
  ['a scheme alone', 'GET http: HTTP/1.1', ['Host: a'], 400],
  ['a host that is none', 'GET http://[::1 HTTP/1.1', ['Host: a'], 400],
  ['a space in the path', 'GET /heal thz HTTP/1.1', ['Host: a'], 400],
  ['tabs for spaces', 'GET\t/healthz\tHTTP/1.1', ['Host: a'], 400],
  ['a path of 20,000 characters', `GET /${'a'.repeat(20_000)} HTTP/1.1`, ['Host: a'], 431],
  ['a header of 20,000 characters', 'GET /healthz HTTP/1.1', ['Host: a', `X: ${'x'.repeat(20_000)}`], 431],
  ['2,100 headers', 'GET /healthz HTTP/1.1', ['Host: a', ...Array<string>(2_100).fill('a:')], TOO_MANY_HEADERS],
  [
    'a second host behind 2,100 headers',
    'GET /healthz HTTP/1.1',
    ['Host: a', ...Array<string>(2_100).fill('a:'), 'Host: b'],
    TOO_MANY_HEADERS,
  ],
  [
    'headers of 20,000 characters',
    'GET /healthz HTTP/1.1',
    ['Host: a', ...Array<string>(100).fill(`a: ${'b'.repeat(200)}`)],
    431,
  ],
  ['199 headers', 'GET /healthz HTTP/1.1', ['Host: a', ...Array<string>(197).fill('a: b')], 200],
  ['HTTP/1.0', 'GET /healthz HTTP/1.0', [], 200],
  ['a whole URL for a path', 'GET http://elsewhere.example/healthz HTTP/1.1', ['Host: a'], 200],
  ['an upgrade', 'GET /healthz HTTP/1.1', ['Host: a', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'], 200],
  ['an unknown expectation', 'GET /healthz HTTP/1.1', ['Host: a', 'Expect: tea'], 200],
  ['no path', 'OPTIONS * HTTP/1.1', ['Host: a'], 404],
  ['a trace', 'TRACE /healthz HTTP/1.1', ['Host: a', 'Cookie: secret'], 405],
])(
  'answers once, and with an error object where it refuses: %s',
  { tags: ['http/ambiguous'] },
  async (_, requestLine, headers, status) => {
    const lines = headers.map((line) => (line === 'KEY' ? authorization() : line));
    const [answer, ...others] = await exchange(service.url, get(requestLine, ...lines));
    expect([answer?.status, others]).toEqual([status, []]);
    expect(answer?.error).toBe(
      { 404: 'not_found', 405: 'method_not_allowed' }[status] ?? (status < 400 ? undefined : 'invalid_input'),
    );
    expect(answer?.body).not.toMatch(/secret/);
    expect(Object.fromEntries(answer?.headers ?? [])).toMatchObject({
      'x-request-id': expect.stringMatching(/^[\w-]{16}$/),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("base-uri 'none'"),
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    });
  },
);

it('closes the connection behind a request that it could not be sure of', async () => {
  const ambiguous = 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n';
  const answers = await exchange(service.url, ambiguous + SMUGGLED);
  expect(answers.map(({ status }) => status)).toEqual([400]);
});

it('is no proxy', async () => {
  expect(await exchange(service.url, get('CONNECT elsewhere.example:443 HTTP/1.1', 'Host: a'))).toEqual([]);
});
