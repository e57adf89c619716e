/** Paths, ids, keys and signatures that reach for what is not theirs. */

import { createHmac } from 'node:crypto';
import { type Attack, JSON_TYPE, request, type Target } from './attack.js';

const NOT_FOUND = '404 not_found';
const NO_KEY = '401 invalid_api_key';
const NOT_SIGNED = '403 invalid_signature';
const NOT_ALLOWED = '405 method_not_allowed';

const get = (path: string, outcome: string, ...headers: string[]): Attack => ({
  name: `GET ${path.slice(0, 80)}${headers.map((line) => ` with ${line.slice(0, 60)}`).join('')}`,
  request: request(`GET ${path}`, headers),
  outcome,
});
const ids = (...spellings: string[]) => spellings.map((id) => get(`/api/v1/jobs/${id}`, NOT_FOUND));
/** A path made from what the attacker has. */
const aimed = (name: string, path: (target: Target) => string, outcome: string, method = 'GET'): Attack => ({
  name,
  request: (target) => request(`${method} ${path(target)}`, [])(target),
  outcome,
});
/** An `Authorization` made from a key that is good. */
const keyed = (name: string, authorization: (key: string) => string, outcome = NO_KEY): Attack => ({
  name,
  request: (target) => request('GET /api/v1/credits', [`Authorization: ${authorization(target.key)}`])(target),
  outcome,
});
/** A signed URL that was changed. */
const tampered = (name: string, change: (url: string, target: Target) => string, outcome = NOT_SIGNED): Attack =>
  aimed(name, (target) => change(target.downloadUrl, target), outcome);

export const PATHS: readonly Attack[] = [
  // Ids that are queries, paths, templates, or another's.
  ...ids(
    "'%20OR%20'1'='1",
    '1;DROP%20TABLE%20jobs',
    '%22%20OR%201=1--',
    '1%20UNION%20SELECT%20hash%20FROM%20api_keys',
    '[$ne]=',
    '%7B%22$gt%22:%22%22%7D',
    '..%2f..%2f..%2fetc%2fpasswd',
    '..%5c..%5cwindows%5cwin.ini',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '%252e%252e%252f',
    '....%2f%2f',
    '%00',
    '%0d%0aSet-Cookie:%20a=b',
    '%ff%fe',
    '%c0%ae%c0%ae',
    '%zz',
    '%',
    '%u0041',
    '__proto__',
    'constructor',
    'undefined',
    'null',
    '*',
    '$%7Bjndi:ldap://elsewhere.example/a%7D',
    '%7B%7B7*7%7D%7D',
    '%3Cscript%3Ealert(1)%3C/script%3E',
    '-1',
    '0',
    '1e999',
    'x'.repeat(10_000),
    '%F0%9F%98%80'.repeat(500),
  ),
  aimed('the job of another organisation', ({ strangersJobId }) => `/api/v1/jobs/${strangersJobId}`, NOT_FOUND),
  aimed(
    'DELETE of the job of another organisation',
    ({ strangersJobId }) => `/api/v1/jobs/${strangersJobId}`,
    NOT_FOUND,
    'DELETE',
  ),
  aimed('its archive', ({ strangersJobId }) => `/api/v1/jobs/${strangersJobId}/download`, NOT_FOUND),
  aimed('an id in capitals', ({ jobId }) => `/api/v1/jobs/${jobId.toUpperCase()}`, NOT_FOUND),
  aimed('an id with a space', ({ jobId }) => `/api/v1/jobs/${jobId}%20`, NOT_FOUND),
  aimed('an id with a NUL', ({ jobId }) => `/api/v1/jobs/${jobId}%00`, NOT_FOUND),
  aimed('an id with an ending', ({ jobId }) => `/api/v1/jobs/${jobId}.json`, NOT_FOUND),
  aimed('an id with a parameter', ({ jobId }) => `/api/v1/jobs/${jobId};a=b`, NOT_FOUND),
  aimed('an id with a percent sign', ({ jobId }) => `/api/v1/jobs/${jobId}%25`, NOT_FOUND),
  aimed('a prefix of an id', ({ jobId }) => `/api/v1/jobs/${jobId.slice(0, -1)}_`, NOT_FOUND),
  aimed('a token for an id', ({ downloadUrl }) => `/api/v1/jobs/${tokenOf(downloadUrl)}`, NOT_FOUND),
  aimed('an id twice', ({ jobId }) => `/api/v1/jobs/${jobId}?jobId=other&jobId=${jobId}`, '200'),

  // Paths in other spellings.
  get('/api/v1/jobs/../credits', NOT_FOUND),
  get('/api/v1/jobs/%2e%2e/credits', NOT_FOUND),
  get('/api/v1/jobs/..;/credits', NOT_FOUND),
  get('/api/v1/./credits', NOT_FOUND),
  get('/api//v1/credits', NOT_FOUND),
  get('//api/v1/credits', NOT_FOUND),
  get('/api/v1/credits/', NOT_FOUND),
  get('/api/v1/credits%2f', NOT_FOUND),
  get('/api/v1/credits%00', NOT_FOUND),
  get('/api/v1/credits.json', NOT_FOUND),
  get('/api/v1/%63redits', NOT_FOUND),
  get('/API/V1/CREDITS', NOT_FOUND),
  get('/api/v1\\credits', NOT_FOUND),
  get('/api/v2/credits', NOT_FOUND),
  get('/healthz/../api/v1/credits', NOT_FOUND),
  get('/%2e%2e/%2e%2e/etc/passwd', NOT_FOUND),
  get('/..%c0%af..%c0%afetc/passwd', NOT_FOUND),
  get('/docs/..%2f..%2fpackage.json', NOT_FOUND),
  get('/docs/../package.json', NOT_FOUND),
  get('/.env', NOT_FOUND),
  get('/.git/config', NOT_FOUND),
  get('/server-status', NOT_FOUND),
  get('/actuator/env', NOT_FOUND),
  get(`/${'a/'.repeat(7_000)}`, NOT_FOUND),
  get(`/${'a'.repeat(17_000)}`, '431 invalid_input'),
  get(`/api/v1/credits?${'a=b&'.repeat(3_000)}`, '200'),
  get('/api/v1/credits?__proto__[admin]=1&constructor[prototype][x]=1', '200'),

  // Keys.
  ...['null', 'undefined', 'true', "' OR 1=1--", '*', '%00', 'admin'].map((key) =>
    keyed(`the key ${key}`, () => `Bearer ${key}`),
  ),
  keyed('a JWT that nobody signed', () => `Bearer ${jwt({ alg: 'none' }, '')}`),
  keyed('a JWT that anybody can sign', () => `Bearer ${jwt({ alg: 'HS256' }, hmac('secret'))}`),
  keyed('a JWT that names its own key', () => `Bearer ${jwt({ alg: 'HS256', kid: '../../dev/null' }, hmac(''))}`),
  keyed('a key of 10,000 characters', () => `Bearer qrp_${'a'.repeat(10_000)}`),
  keyed('a key in lower case', (key) => `Bearer ${key.toLowerCase()}`),
  keyed('a key that lacks its end', (key) => `Bearer ${key.slice(0, -1)}`),
  keyed('a key with one character more', (key) => `Bearer ${key}a`),
  keyed('a key with another end', (key) => `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`),
  keyed('a key behind a comma', (key) => `Bearer a, Bearer ${key}`),
  keyed('a key before a comma', (key) => `Bearer ${key},`),
  keyed('a key in quotes', (key) => `Bearer "${key}"`),
  keyed('a key with a tab', (key) => `Bearer\t${key}`),
  keyed('a key with a no-break space', (key) => `Bearer \xa0${key}`),
  keyed('a key as a token of another scheme', (key) => `Token ${key}`),
  keyed('a key as a password', (key) => `Basic ${Buffer.from(`:${key}`).toString('base64')}`),
  keyed('a key alone', (key) => key),
  {
    name: 'two keys',
    request: request('GET /api/v1/credits', ['Authorization: Bearer a', 'Authorization: Bearer b']),
    outcome: '400 invalid_input:  invalid_header',
  },
  ...(['X-API-Key: KEY', 'Cookie: Authorization=Bearer KEY', 'Proxy-Authorization: Bearer KEY'] as const).map(
    (line) => ({
      name: `a key in ${line}`,
      request: (target: Target) =>
        request('GET /api/v1/credits', ['Authorization:', line.replace('KEY', target.key)])(target),
      outcome: NO_KEY,
    }),
  ),

  // Signed URLs.
  tampered('a signature of nothing', (url) => url.replace(/t=.*/, 't=')),
  tampered('a signature of zeros', (url) => url.replace(/t=.*/, `t=${'A'.repeat(43)}`)),
  tampered('a signature in hex', (url) =>
    url.replace(/t=(.*)/, (_, t: string) => `t=${Buffer.from(t, 'base64url').toString('hex')}`),
  ),
  tampered('a signature of 10,000 characters', (url) => url.replace(/t=.*/, `t=${'a'.repeat(10_000)}`)),
  tampered('signatures in an array', (url) => url.replace('t=', 't[]=')),
  tampered('a name in capitals', (url) => url.replace('exp=', 'EXP=')),
  tampered('an end in 10,000 years', (url) => url.replace(/exp=\d+/, 'exp=317810000000')),
  tampered('an end with an exponent', (url) => url.replace(/exp=\d+/, 'exp=1e11')),
  tampered('an end in hex', (url) => url.replace(/exp=(\d+)/, (_, exp: string) => `exp=0x${Number(exp).toString(16)}`)),
  tampered('an end with a fraction', (url) => url.replace(/exp=(\d+)/, 'exp=$1.0')),
  tampered('an end in other digits', (url) => url.replace(/exp=\d/, 'exp=%D9%A1')),
  tampered('an end below zero', (url) => url.replace('exp=', 'exp=-')),
  tampered('semicolons between', (url) => url.replace('&', ';')),
  tampered('a signature twice', (url) => `${url}&${url.split('&')[1] ?? ''}`),
  tampered('a signature of another path', (url, { statusUrl }) =>
    url.replace(/\?.*/, statusUrl.slice(statusUrl.indexOf('?'))),
  ),
  tampered('an id for a token', (url, { jobId }) => url.replace(/\/d\/[\w-]+/, `/d/${jobId}`)),
  tampered('a token in capitals', (url) =>
    url.replace(/\/d\/([\w-]+)/, (_, token: string) => `/d/${token.toUpperCase()}`),
  ),
  tampered('a path behind the token', (url) => url.replace('?', '/../status?'), NOT_FOUND),
  tampered('a slash behind the token', (url) => url.replace('?', '/?'), NOT_FOUND),
  tampered('an escaped slash in the token', (url) => url.replace('?', '%2fstatus?')),
  aimed(
    'a signature where a key belongs',
    ({ jobId, downloadUrl }) => `/api/v1/jobs/${jobId}/download${downloadUrl.slice(downloadUrl.indexOf('?'))}&key=x`,
    '200',
  ),
  aimed('a signed URL that is posted to', ({ downloadUrl }) => downloadUrl, NOT_ALLOWED, 'POST'),
  aimed('a signed URL that is deleted', ({ statusUrl }) => statusUrl, NOT_ALLOWED, 'DELETE'),

  // Methods in disguise.
  {
    name: 'PUT of a job',
    request: (target) => request(`PUT /api/v1/jobs/${target.jobId}`, [])(target),
    outcome: NOT_ALLOWED,
  },
  ...['X-HTTP-Method-Override: DELETE', 'X-Method-Override: PUT', 'X-HTTP-Method: PATCH'].map((line) =>
    get('/api/v1/credits', '200', line),
  ),
  get('/api/v1/credits?_method=DELETE', '200'),
  {
    name: 'a GET that says it is a POST',
    request: request('GET /api/v1/jobs', [JSON_TYPE, 'X-HTTP-Method-Override: POST'], '{"items":[{"data":"1"}]}'),
    outcome: '200',
  },
  {
    name: 'a POST that says it is a GET',
    request: request('POST /api/v1/credits', ['X-HTTP-Method-Override: GET']),
    outcome: NOT_ALLOWED,
  },
  { name: 'PROPFIND', request: request('PROPFIND /api/v1/jobs', []), outcome: NOT_ALLOWED },
  { name: 'PURGE', request: request('PURGE /api/v1/credits', []), outcome: NOT_ALLOWED },
  { name: 'HEAD of what is posted', request: request('HEAD /api/v1/jobs/validate', []), outcome: '405' },
];

function tokenOf(url: string): string {
  return url.slice('/d/'.length, url.indexOf('?'));
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const CLAIMS = encode({ sub: 'admin', exp: 9_999_999_999 });

function jwt(header: object, signature: string): string {
  return `${encode({ typ: 'JWT', ...header })}.${CLAIMS}.${signature}`;
}

function hmac(secret: string): string {
  return createHmac('sha256', secret).update(CLAIMS).digest('base64url');
}
