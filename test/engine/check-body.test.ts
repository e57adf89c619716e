/** Reasons to refuse a body, in their order: issues of the addon and of the schema, merged. */

import { access } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CheckRefusal } from '../../src/engine/engine.js';
import { EngineSupervisor } from '../../src/engine/engine-supervisor.js';
import { CHUNK_ITEMS, type EngineFixture, openEngineFixture } from './engine-fixture.js';

let fixture: EngineFixture;
let supervisor: EngineSupervisor;

beforeAll(async () => {
  fixture = await openEngineFixture();
  supervisor = new EngineSupervisor({ threads: 1, chunkItems: CHUNK_ITEMS });
});
afterAll(async () => {
  await supervisor.close();
  await fixture.remove();
});

async function refusalOf(form: 'json' | 'ndjson', content: string | Uint8Array): Promise<CheckRefusal> {
  const report = await supervisor.check(await fixture.body(form, content));
  if (!('refusal' in report)) throw new Error('The body was accepted');
  await expect(access(fixture.path('spool'))).rejects.toThrow('ENOENT');
  return report.refusal;
}

/** `path code` of every issue, after the line where there is one. */
function said({ issues }: CheckRefusal): string[] {
  return issues.map(({ line, path, code }) => `${line === undefined ? '' : `${line}: `}${path} ${code}`);
}

const TOO_LONG = 'x'.repeat(2_954);
const TOO_BIG = 'é'.repeat(1_500);

it.each<[name: string, body: string | Uint8Array, issues: string[]]>([
  ['nothing', '', [' invalid_json']],
  ['no JSON', '{"items": [}', [' invalid_json']],
  ['two values', '{"items": [{"data": "a"}]} {}', [' invalid_json']],
  [
    'bytes that are no text',
    Buffer.from('7b226974656d73223a5b7b2264617461223a22ff227d5d7d', 'hex'),
    [' invalid_unicode'],
  ],
  ['depth', '['.repeat(200_000), [' invalid_json']],
  ['another root', '[]', [' wrong_type']],
  ['no items', '{}', ['/items required']],
  ['items that are no list', '{"items": 7}', ['/items wrong_type']],
  ['an empty list', '{"items": []}', ['/items too_short']],
  ['an item that is no object', '{"items": [{"data": "a"}, null]}', ['/items/1 wrong_type']],
  [
    'unknown members',
    '{"items": [{"data": "a", "fileName": "b"}], "x": 1}',
    ['/x unknown_member', '/items/0/fileName unknown_member'],
  ],
  ['a member twice', '{"format": "png", "format": "svg", "items": [{"data": "a"}]}', ['/format duplicate_member']],
  ['half a character', '{"items": [{"data": "\\ud800"}]}', ['/items/0/data invalid_unicode']],
  [
    'half a character in the caption of all',
    '{"items": [{"data": "a"}], "style": {"caption": {"text": "a\\udc00"}}}',
    ['/style/caption/text invalid_unicode'],
  ],
  [
    'both parts, together',
    `{"items": [{"data": "${TOO_LONG}"}, {}], "format": "gif", "style": {"scale": 41}}`,
    ['/format invalid_value', '/style/scale too_large', '/items/0/data too_long', '/items/1/data required'],
  ],
  ['the small part before the capacity', `{"items": [{"data": "${TOO_BIG}"}], "style": 1}`, ['/style wrong_type']],
])('JSON with %s', async (_, body, issues) => {
  const refusal = await refusalOf('json', body);
  expect(refusal.code).toBe('invalid_input');
  expect(said(refusal)).toEqual(issues);
  expect(refusal.issueCount).toBe(issues.length);
});

it.each<[name: string, body: string | Uint8Array, issues: string[]]>([
  ['nothing', '', []],
  ['a blank line', '\n{"data": "a"}', []],
  ['no JSON', '{"format"}\n{"data": "a"}', []],
  ['bytes that are no text', Buffer.from('7b22ff223a317d0a7b7d', 'hex'), []],
  ['another value', '7\n{"data": "a"}', ['1:  wrong_type']],
  ['an item', '{"data": "a"}', ['1: /data unknown_member']],
  ['a member twice', '{"sendEmail": true, "sendEmail": true}\nx', ['1: /sendEmail duplicate_member']],
  [
    'values that are not allowed',
    '{"style": {"margin": -1, "ecLevel": "X"}}\nx',
    ['1: /style/ecLevel invalid_value', '1: /style/margin too_small'],
  ],
])('NDJSON whose line 1 is %s', async (_, body, issues) => {
  const refusal = await refusalOf('ndjson', body);
  expect(refusal).toMatchObject({ code: 'invalid_meta_line', line: 1, issueCount: issues.length });
  expect(said(refusal).toSorted()).toEqual(issues);
  expect(refusal.message).toMatch(/^Line 1 is not a job's meta object: \S/);
});

it.each<[name: string, lines: string[], code: string, line: number | undefined, issues: string[]]>([
  ['no items', [], 'invalid_input', undefined, ['/items too_short']],
  ['a line that is no JSON', ['{"data": ""}', '{"data"'], 'invalid_json_line', 3, []],
  [
    'an item that breaks a rule',
    ['{"data": "a"}', '', '{"data": 1}'],
    'invalid_input',
    undefined,
    ['4: /data wrong_type'],
  ],
  ['data that no symbol holds', [`{"data": "${TOO_BIG}"}`], 'data_too_long', undefined, ['2: /data data_too_long']],
])('NDJSON with %s', async (_, lines, code, line, issues) => {
  const refusal = await refusalOf('ndjson', ['{}', ...lines].join('\n'));
  expect(refusal.code).toBe(code);
  expect(refusal.line).toBe(line);
  if (issues.length > 0) expect(said(refusal)).toEqual(issues);
});

it('a picture beyond the cap', async () => {
  const refusal = await refusalOf('json', `{"items": [{"data": "${'x'.repeat(2_000)}"}], "style": {"scale": 40}}`);
  expect(refusal.code).toBe('qr_too_large');
  expect(said(refusal)).toEqual(['/items/0/data qr_too_large']);
});

it('lists a hundred issues of two parts, and counts them all', async () => {
  const items = Array.from({ length: 20_000 }, () => ({}));
  const refusal = await refusalOf('json', JSON.stringify({ format: 1, items }));
  expect(refusal.issues).toHaveLength(100);
  expect(said(refusal).slice(0, 2)).toEqual(['/format wrong_type', '/items/0/data required']);
  expect(refusal.issueCount).toBe(20_001);
  expect(refusal.message).toContain('and 20000 more');
});

it('a body that begins with a byte order mark is as good as another', async () => {
  const bodies = [await supervisor.check(await fixture.body('json', '\ufeff{"items":[{"data":"a"}]}'))];
  bodies.push(await supervisor.check(await fixture.body('ndjson', '\ufeff{}\r\n{"data":"a"}\r\n')));
  expect(bodies).toMatchObject([{ total: 1 }, { total: 1 }]);
});
