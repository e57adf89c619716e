import { describe, expect, it } from 'vitest';
import { departures, type Exchange } from './contract.js';

const described: Exchange = {
  method: 'GET',
  path: '/api/v1/credits',
  status: 200,
  headers: new Headers({
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': 'abcdefghijklmnop',
    'cache-control': 'no-store',
    'ratelimit-policy': '"credits";q=60;w=60',
    ratelimit: '"credits";r=59;t=60',
  }),
  json: { balance: 1 },
};

const withHeader = (name: string, value?: string) => {
  const headers = new Headers(described.headers);
  headers.delete(name);
  if (value !== undefined) {
    headers.set(name, value);
  }
  return { headers };
};

it('passes what is described', () => {
  expect(departures(described)).toEqual([]);
  expect(departures({ ...described, path: '/healthz', status: 599 })).toEqual([]);
});

it.each<[string, Partial<Exchange>]>([
  ['a status that is not described', { status: 201 }],
  ['a path that is not described', { path: '/api/v1/other' }],
  ['a method that is not described', { method: 'PATCH' }],
  ['a content type that is not described', withHeader('content-type', 'text/html')],
  ['a body without a content type', withHeader('content-type')],
  ['a header that is missing', withHeader('x-request-id')],
  ['a header that is not described', withHeader('x-powered-by', 'something')],
  ['a malformed header', withHeader('ratelimit', '59')],
  ['a member of the wrong type', { json: { balance: '1' } }],
  ['a member that is missing', { json: {} }],
  ['a member that is not described', { json: { balance: 1, currency: 'credit' } }],
  ['a code of another status', { status: 429, json: { error: 'not_found', message: '', requestId: '' } }],
])('reports %s', { tags: ['versioning/additions-only'] }, (_, departure) => {
  expect(departures({ ...described, ...departure })).not.toEqual([]);
});

describe('the body of a request', () => {
  const created: Exchange = {
    ...described,
    method: 'POST',
    path: '/api/v1/jobs/validate',
    json: { total: 1, creditsRequired: 1, balance: 1, sufficient: true },
  };
  const refused: Exchange = {
    ...created,
    status: 400,
    json: {
      error: 'invalid_input',
      message: '',
      requestId: '',
      issues: [{ path: '/items', code: 'too_short', message: '' }],
      issueCount: 1,
    },
  };
  const good = { type: 'application/json', text: '{"items":[{"data":"1"}]}' };
  const bad = { type: 'application/json', text: '{"items":[]}' };

  it('passes as the schema says', () => {
    expect(departures({ ...created, sent: good })).toEqual([]);
    expect(departures({ ...refused, sent: bad })).toEqual([]);
    expect(departures({ ...created, sent: { type: 'application/x-ndjson', text: '{}\n{"data":"1"}\n' } })).toEqual([]);
  });

  it('is reported when it was accepted against the schema, or refused with it', { tags: ['document/schemas'] }, () => {
    expect(departures({ ...created, sent: bad })).not.toEqual([]);
    expect(departures({ ...refused, sent: good })).not.toEqual([]);
    expect(departures({ ...created, sent: { type: 'application/x-ndjson', text: '{}\n{"data":1}' } })).not.toEqual([]);
  });
});
