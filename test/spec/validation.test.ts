/** Every rule of a request from both of its sides, in both forms of a body; the issue points to the place. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqlite } from '../support/databases.js';
import { dataUrl, paintedPng } from '../support/png.js';
import { errorOf, ndjson, startTestService, type TestService } from '../support/service.js';

const JSON_TYPE = { 'content-type': 'application/json' };

let service: TestService;
beforeAll(async () => {
  // The service makes these checks before it uses the database, so that one kind of database is enough.
  service = await startTestService(sqlite);
});
afterAll(() => service.close());

const validate = (body: string | Uint8Array, headers: Record<string, string>) =>
  service.fetch('/api/v1/jobs/validate', { method: 'POST', headers, body });

/** A value, and what is wrong with it: its code, behind the member that it is about where that is another. */
type Wrong = [value: unknown, issue: string];

interface Rule {
  /** JSON Pointer of the member. */
  path: string;
  good: unknown[];
  wrong: Wrong[];
}

/** Values of every type that JSON has. */
const TYPES = { null: null, boolean: true, integer: 7, number: 0.5, string: 'text', array: [], object: {} };
const noneBut = (...types: (keyof typeof TYPES)[]): Wrong[] =>
  Object.entries(TYPES)
    .filter(([type]) => !types.includes(type as keyof typeof TYPES))
    .map(([, value]) => [value, 'wrong_type']);

const STRING = noneBut('string');
const INTEGER = noneBut('integer');
const colour = (path: string): Rule => ({
  path,
  good: ['#000000', '#ffffff', '#aBcDeF', '#012789', 'transparent'],
  wrong: [
    ...[
      '',
      '#fff',
      '#00000',
      '#0000000',
      '#00000g',
      '000000',
      'red',
      'Transparent',
      ' #000000',
      '#000000 ',
      '#000000ff',
    ].map((value): Wrong => [value, 'invalid_value']),
    ...STRING,
  ],
});

/** Characters that count as one each, whatever they weigh. */
const characters = (count: number) => ['a'.repeat(count), 'ä'.repeat(count), '😀'.repeat(count)];

const LOGO = dataUrl(paintedPng(16, '<circle cx="8" cy="8" r="8"/>'));

const OF_THE_JOB: Rule[] = [
  {
    path: '/format',
    good: ['png', 'svg', 'both'],
    wrong: [...['', 'PNG', 'gif', 'png '].map((value): Wrong => [value, 'invalid_value']), ...STRING],
  },
  { path: '/sendEmail', good: [true, false], wrong: noneBut('boolean') },
  {
    path: '/name',
    good: ['=', ...characters(120)],
    wrong: [['', 'too_short'], ['😀'.repeat(121), 'too_long'], ...STRING],
  },
  { path: '/style', good: [{}], wrong: noneBut('object') },
  {
    path: '/style/ecLevel',
    good: ['L', 'M', 'Q', 'H'],
    wrong: [...['', 'm', 'X', 'LM'].map((value): Wrong => [value, 'invalid_value']), ...STRING],
  },
  { path: '/style/scale', good: [1, 40], wrong: [[0, 'too_small'], [-1, 'too_small'], [41, 'too_large'], ...INTEGER] },
  { path: '/style/margin', good: [0, 16], wrong: [[-1, 'too_small'], [17, 'too_large'], ...INTEGER] },
  { path: '/style/eci', good: [true, false], wrong: noneBut('boolean') },
  {
    path: '/style/version',
    good: ['smallest', 'same', 1, 40],
    wrong: [
      ['', 'invalid_value'],
      ['7', 'invalid_value'],
      [0, 'too_small'],
      [41, 'too_large'],
      [1.5, 'wrong_type'],
      ...noneBut('string', 'integer'),
    ],
  },
  colour('/style/foreground'),
  colour('/style/background'),
  { path: '/style/caption', good: [{}], wrong: noneBut('object') },
  {
    path: '/style/caption/text',
    good: ['', 'a'.repeat(120), 'ä'.repeat(120)],
    wrong: [...characters(121).map((value): Wrong => [value, 'too_long']), ...STRING],
  },
  {
    path: '/style/caption/colour',
    good: ['#000000', '#aBcDeF'],
    wrong: [['transparent', 'invalid_value'], ['#fff', 'invalid_value'], ['', 'invalid_value'], ...STRING],
  },
  {
    path: '/style/caption/fontSize',
    good: [6, 64],
    wrong: [[5, 'too_small'], [65, 'too_large'], [6.5, 'wrong_type'], ...INTEGER],
  },
  { path: '/style/logo', good: [{ dataUrl: LOGO }], wrong: [[{}, 'dataUrl required'], ...noneBut('object')] },
  {
    path: '/style/logo/dataUrl',
    good: [LOGO],
    wrong: [
      ['https://example.org/logo.png', 'invalid_logo'],
      ['data:image/png;base64,bm8gUE5H', 'invalid_logo'],
      ['data:image/jpeg;base64,/9j/', 'invalid_logo'],
      [`data:image/png;base64,${'A'.repeat(524_288 - 21)}`, 'too_long'],
      ...STRING,
    ],
  },
  {
    path: '/style/logo/sizeRatio',
    good: [],
    wrong: [
      [0.0499, 'too_small'],
      [0, 'too_small'],
      [0.3001, 'too_large'],
      [1, 'too_large'],
      ...noneBut('number', 'integer'),
    ],
  },
];

const OF_AN_ITEM: Rule[] = [
  {
    path: '/data',
    good: ['0', ' ', '0'.repeat(2_953), '\u0000', '😀'],
    wrong: [['', 'too_short'], ['0'.repeat(2_954), 'too_long'], ['😀'.repeat(2_954), 'too_long'], ...STRING],
  },
  {
    path: '/filename',
    good: ['', ...characters(120)],
    wrong: [...characters(121).map((value): Wrong => [value, 'too_long']), ...STRING],
  },
  {
    path: '/caption',
    good: ['', 'a'.repeat(120), 'ä'.repeat(120)],
    wrong: [...characters(121).map((value): Wrong => [value, 'too_long']), ...STRING],
  },
  {
    path: '/reference',
    good: ['=1', ...characters(120)],
    wrong: [['', 'too_short'], ...characters(121).map((value): Wrong => [value, 'too_long']), ...STRING],
  },
];

const GOOD = { data: '1' };
const short = (value: unknown) => JSON.stringify(value).replace(/(.{40}).+/, '$1…');
const cases = (rules: Rule[]) =>
  rules.flatMap(({ path, wrong }) => wrong.map(([value, issue]) => [path, short(value), value, issue] as const));
const goodCases = (rules: Rule[]) =>
  rules.flatMap(({ path, good }) => good.map((value) => [path, short(value), value] as const));

/** An object with `value` at `path`, and nothing beside it but what is required. */
function withMember(path: string, value: unknown, beside: object = {}): Record<string, unknown> {
  const [, name = '', ...rest] = path.split('/');
  return { ...beside, [name]: rest.length === 0 ? value : withMember(`/${rest.join('/')}`, value) };
}

/** Code, line where there is one, and issues of a refusal that are about `path` or what is below it. */
async function refusal(response: Response, path: string): Promise<unknown[]> {
  const { error, line, issues } = await errorOf(response);
  const about = issues.filter((issue) => `${issue.path}/`.startsWith(`${path}/`));
  return [
    response.status,
    error,
    ...(line === undefined ? [] : [line]),
    ...about.map((issue) => `${issue.line === undefined ? '' : `${issue.line} `}${issue.path} ${issue.code}`),
  ];
}

/** The place and code of `issue`, which may name a member below `path`. */
function placed(path: string, issue: string): string {
  const [first = '', second] = issue.split(' ');
  return second === undefined ? `${path} ${first}` : `${path}/${first} ${second}`;
}

describe('a member of the job', () => {
  it.each(goodCases(OF_THE_JOB))(
    '%s may be %s',
    {
      tags: [
        '2.1/format',
        '2.1/style',
        '2.4/scale',
        '2.4/margin',
        '2.4/colours',
        '2.6/caption',
        '8/limits',
        'requests/colours',
      ],
    },
    async (path, _, value) => {
      const meta = withMember(path, value);
      const json = await validate(JSON.stringify({ ...meta, items: [GOOD] }), JSON_TYPE);
      expect([json.status, await json.text()]).toEqual([200, expect.any(String)]);
      expect((await validate(...ndjson(meta, GOOD))).status).toBe(200);
    },
  );

  it.each(cases(OF_THE_JOB))(
    '%s may not be %s',
    {
      tags: [
        '2.1/format',
        '2.1/style',
        '2.1/send-email',
        '2.2/meta-line',
        '2.4/ec-level',
        '2.4/scale',
        '2.4/margin',
        '2.4/colours',
        '2.5/logo',
        '2.6/caption',
        '2.6/caption-look',
        '7/invalid-input',
        '8/limits',
        'requests/colours',
        'requests/meta-line',
      ],
    },
    async (path, _, value, issue) => {
      const meta = withMember(path, value);
      const expected = placed(path, issue);
      const json = await validate(JSON.stringify({ ...meta, items: [GOOD] }), JSON_TYPE);
      expect(await refusal(json, path)).toEqual([400, 'invalid_input', expected]);
      const lines = await validate(...ndjson(meta, GOOD));
      expect((await refusal(lines, path)).map((each) => String(each).replace(/^1 \//, '/'))).toEqual(
        [400, 'invalid_meta_line', 1, expected].map(String),
      );
    },
  );
});

describe('a member of an item', () => {
  it.each(goodCases(OF_AN_ITEM))('%s may be %s', { tags: ['2.3/filename', '8/limits'] }, async (path, _, value) => {
    const item = withMember(path, value, GOOD);
    expect((await validate(JSON.stringify({ items: [GOOD, item] }), JSON_TYPE)).status).toBe(200);
    expect((await validate(...ndjson({}, GOOD, item))).status).toBe(200);
  });

  it.each(cases(OF_AN_ITEM))(
    '%s may not be %s',
    {
      tags: [
        '2.2/item-lines',
        '2.3/data',
        '2.3/filename',
        '2.3/caption',
        '7/invalid-input',
        '8/limits',
        'requests/data-length',
      ],
    },
    async (path, _, value, issue) => {
      const item = withMember(path, value, GOOD);
      const json = await validate(JSON.stringify({ items: [GOOD, item] }), JSON_TYPE);
      expect(await refusal(json, '')).toEqual([400, 'invalid_input', `/items/1${placed(path, issue)}`]);
      const lines = await validate(...ndjson({}, GOOD, item));
      expect(await refusal(lines, '')).toEqual([400, 'invalid_input', `3 ${placed(path, issue)}`]);
    },
  );

  it.each(Object.entries(TYPES).filter(([type]) => type !== 'object'))(
    'an item may not be of the type %s',
    async (_, value) => {
      const json = await validate(JSON.stringify({ items: [GOOD, value] }), JSON_TYPE);
      expect(await refusal(json, '')).toEqual([400, 'invalid_input', '/items/1 wrong_type']);
      const lines = await validate(...ndjson({}, GOOD, JSON.stringify(value)));
      expect(await refusal(lines, '')).toEqual([400, 'invalid_input', '3  wrong_type']);
    },
  );

  it('data is required', { tags: ['2.3/data'] }, async () => {
    const json = await validate(JSON.stringify({ items: [GOOD, { filename: 'a' }] }), JSON_TYPE);
    expect(await refusal(json, '')).toEqual([400, 'invalid_input', '/items/1/data required']);
    expect(await refusal(await validate(...ndjson({}, {})), '')).toEqual([400, 'invalid_input', '2 /data required']);
  });
});

describe('a member that there is not, or that is there twice', () => {
  const LEVELS = [
    ['', '{"format":"png",MEMBERS}', 'format', '"png"'],
    ['/style', '{"style":{"scale":1,MEMBERS}}', 'scale', '1'],
    ['/style/caption', '{"style":{"caption":{"fontSize":6,MEMBERS}}}', 'fontSize', '6'],
    ['/style/logo', '{"style":{"logo":{"sizeRatio":0.2,MEMBERS}}}', 'sizeRatio', '0.2'],
  ] as const;

  it.each(LEVELS)(
    'of the job, in %j',
    { tags: ['requests/unknown-members', 'requests/duplicate-members', 'errors/issues'] },
    async (path, meta, known, value) => {
      for (const [members, issue] of [
        ['"color":1', `${path}/color unknown_member`],
        ['"Format":1', `${path}/Format unknown_member`],
        [`"${known}":${value}`, `${path}/${known} duplicate_member`],
        [`"\\u00${known.charCodeAt(0).toString(16)}${known.slice(1)}":${value}`, `${path}/${known} duplicate_member`],
      ] as const) {
        const line = meta.replace('MEMBERS', members);
        const json = await validate(line.replace(/\}$/, ',"items":[{"data":"1"}]}'), JSON_TYPE);
        const [place = ''] = issue.split(' ');
        expect(await refusal(json, place)).toEqual([400, 'invalid_input', issue]);
        const [status, error, number, ...issues] = await refusal(await validate(...ndjson(line, GOOD)), place);
        expect([status, error, number]).toEqual([400, 'invalid_meta_line', 1]);
        expect(issues.map((each) => String(each).replace(/^1 /, ''))).toEqual([issue]);
      }
    },
  );

  it('of an item', { tags: ['requests/unknown-members', 'requests/duplicate-members'] }, async () => {
    for (const [item, issue, code] of [
      ['{"data":"1","fileName":"a"}', '/fileName unknown_member', 'invalid_input'],
      ['{"data":"1","items":[]}', '/items unknown_member', 'invalid_input'],
      ['{"data":"1","data":"1"}', '/data duplicate_member', 'invalid_json_line'],
      ['{"data":"1","filename":"a","filename":"b"}', '/filename duplicate_member', 'invalid_json_line'],
    ] as const) {
      const json = await validate(`{"items":[{"data":"1"},${item}]}`, JSON_TYPE);
      expect(await refusal(json, '')).toEqual([400, 'invalid_input', `/items/1${issue}`]);
      const lines = await validate(...ndjson({}, GOOD, item));
      expect(await refusal(lines, '')).toEqual([400, code, ...(code === 'invalid_json_line' ? [3] : []), `3 ${issue}`]);
    }
  });
});

describe('what a symbol holds', () => {
  // ISO/IEC 18004, table 7: bytes of version 40.
  it.each([
    ['L', 2_953],
    ['M', 2_331],
    ['Q', 1_663],
    ['H', 1_273],
  ])('at level %s: %d bytes', { tags: ['2.3/data', '7/size', 'requests/data-length'] }, async (ecLevel, bytes) => {
    const status = async (data: string) => {
      const response = await validate(JSON.stringify({ style: { ecLevel, scale: 1 }, items: [{ data }] }), JSON_TYPE);
      const { error, issues } = (await response.json()) as {
        error?: string;
        issues?: { path: string; code: string }[];
      };
      return [response.status, error, issues?.map(({ path, code }) => `${path} ${code}`)];
    };
    const tooLong = [400, 'data_too_long', ['/items/0/data data_too_long']];
    expect(await status('x'.repeat(bytes))).toEqual([200, undefined, undefined]);
    // One character more, and one byte more in as many characters.
    expect(await status(`${'x'.repeat(bytes - 1)}é`)).toEqual(tooLong);
    expect(await status('x'.repeat(bytes + 1))).toEqual(
      bytes === 2_953 ? [400, 'invalid_input', ['/items/0/data too_long']] : tooLong,
    );
  });

  it.each([
    // 177 modules of version 40, and 21 of version 1.
    [{ scale: 22, margin: 4 }, 'x'.repeat(2_331), 200],
    [{ scale: 22, margin: 5 }, 'x'.repeat(2_331), 400],
    [{ scale: 23, margin: 0 }, 'x'.repeat(2_331), 200],
    [{ scale: 23, margin: 1 }, 'x'.repeat(2_331), 400],
    [{ scale: 24, margin: 0 }, 'x'.repeat(2_331), 400],
    [{ scale: 40, margin: 16 }, 'x', 200],
  ])(
    'in a picture of 4,096 px: %j',
    { tags: ['2.4/scale', '7/size', 'requests/pixel-cap'] },
    async (style, data, status) => {
      for (const format of ['png', 'svg', 'both']) {
        const json = await validate(JSON.stringify({ format, style, items: [GOOD, { data }] }), JSON_TYPE);
        expect(json.status).toBe(status);
        const lines = await validate(...ndjson({ format, style }, GOOD, { data }));
        expect(lines.status).toBe(status);
        if (status === 400) {
          expect(await refusal(json, '')).toEqual([400, 'qr_too_large', '/items/1/data qr_too_large']);
          expect(await refusal(lines, '')).toEqual([400, 'qr_too_large', '3 /data qr_too_large']);
        }
      }
    },
  );
});

describe('how many items', () => {
  it('a JSON body has 1 to 20,000', { tags: ['2.1/items', '8/limits'] }, async () => {
    const body = (count: number) => `{"items":[${Array<string>(count).fill('{"data":"1"}').join()}]}`;
    expect(await refusal(await validate(body(0), JSON_TYPE), '')).toEqual([400, 'invalid_input', '/items too_short']);
    expect((await validate(body(1), JSON_TYPE)).status).toBe(200);
    const most = await validate(body(20_000), JSON_TYPE);
    expect(await most.json()).toMatchObject({ total: 20_000, creditsRequired: 20_000 });
    expect(await refusal(await validate(body(20_001), JSON_TYPE), '')).toEqual([
      400,
      'invalid_input',
      '/items too_long',
    ]);
  });

  it('an NDJSON body has 1 to 1,000,000', { tags: ['1/items', '2.2/limits', '8/limits'] }, async () => {
    const most = await validate(`{}${'\n{"data":"1"}'.repeat(1_000_000)}\n`, {
      'content-type': 'application/x-ndjson',
    });
    expect(await most.json()).toMatchObject({ total: 1_000_000, sufficient: false });
    const none = await validate(...ndjson({ format: 'svg' }));
    expect(await refusal(none, '')).toEqual([400, 'invalid_input', '/items too_short']);
  });

  it('a body has 25,000,000 bytes at most, an NDJSON body 100,000,000', {
    tags: ['2.2/limits', '7/payload-too-large', '8/limits', 'requests/size-limits'],
    // 250 MB, which other tests' processes delay.
    timeout: 120_000,
  }, async () => {
    for (const [type, limit, start] of [
      ['application/json', 25_000_000, '{"items":[{"data":"1"}]}'],
      ['application/x-ndjson', 100_000_000, '{}\n{"data":"1"}\n'],
    ] as const) {
      const body = Buffer.alloc(limit, type === 'application/json' ? ' ' : '\n');
      body.write(start);
      expect((await validate(body, { 'content-type': type })).status).toBe(200);
      const larger = await validate(Buffer.concat([body, Buffer.from('\n')]), { 'content-type': type });
      expect(larger.status).toBe(413);
      expect(await errorOf(larger)).toMatchObject({ error: 'payload_too_large', limit });
    }
  });
});

it('both colours may not be transparent', { tags: ['2.4/colours'] }, async () => {
  const style = { foreground: 'transparent', background: 'transparent' };
  const json = await validate(JSON.stringify({ style, items: [GOOD] }), JSON_TYPE);
  expect(await refusal(json, '')).toEqual([400, 'invalid_input', '/style/background conflict']);
  const [status, error] = await refusal(await validate(...ndjson({ style }, GOOD)), '');
  expect([status, error]).toEqual([400, 'invalid_meta_line']);
});

describe('of several things that are wrong, the first kind decides', () => {
  /** Each is wrong in what it is named after, and in all that follows it. */
  const TOO_LARGE = { style: { scale: 40 }, items: [{ data: 'x'.repeat(1_000) }] };
  const TOO_LONG = { ...TOO_LARGE, items: [...TOO_LARGE.items, { data: 'é'.repeat(2_000) }] };
  const INVALID = { ...TOO_LONG, items: [...TOO_LONG.items, { data: '' }] };
  const poor = () => service.createAccount(0);

  it('in JSON: invalid_input, data_too_long, qr_too_large, 402', { tags: ['requests/order-of-checks'] }, async () => {
    const { key } = await poor();
    const headers = { ...JSON_TYPE, authorization: `Bearer ${key}` };
    const codes: unknown[] = [];
    for (const body of [INVALID, TOO_LONG, TOO_LARGE, { items: [GOOD] }]) {
      codes.push((await errorOf(await service.post(body, headers))).error);
    }
    expect(codes).toEqual(['invalid_input', 'data_too_long', 'qr_too_large', 'insufficient_credits']);
  });

  it('in NDJSON: invalid_meta_line, invalid_json_line, too_many_items, invalid_input, data_too_long, qr_too_large, 402', {
    tags: ['requests/order-of-checks'],
  }, async () => {
    const { key } = await poor();
    const { style, items } = TOO_LARGE;
    const meta = JSON.stringify({ style });
    const [large] = items.map((item) => JSON.stringify(item));
    const long = JSON.stringify({ data: 'é'.repeat(2_000) });
    const many = '\n{"data":"1"}'.repeat(1_000_000);
    const codes: unknown[] = [];
    for (const lines of [
      `{"format":1}\n${large}\n${long}\n{"data":""}${many}\n{`,
      `${meta}\n${large}\n${long}\n{"data":""}\n{`,
      `${meta}\n${large}\n${long}\n{"data":""}${many}`,
      `${meta}\n${large}\n${long}\n{"data":""}`,
      `${meta}\n${large}\n${long}`,
      `${meta}\n${large}`,
      `${meta}\n{"data":"1"}`,
    ]) {
      const headers = { 'content-type': 'application/x-ndjson', authorization: `Bearer ${key}` };
      codes.push((await errorOf(await service.post(lines, headers))).error);
    }
    expect(codes).toEqual([
      'invalid_meta_line',
      'invalid_json_line',
      'too_many_items',
      'invalid_input',
      'data_too_long',
      'qr_too_large',
      'insufficient_credits',
    ]);
  });

  it('before the body: 401, 415, 413', { tags: ['1/key', 'requests/order-of-checks'] }, async () => {
    const body = Buffer.alloc(25_000_001, 'x');
    const status = async (headers: Record<string, string>) => (await service.post(body, headers)).status;
    expect(await status({ 'content-type': 'text/plain', authorization: 'Bearer wrong' })).toBe(401);
    expect(await status({ 'content-type': 'text/plain' })).toBe(415);
    expect(await status(JSON_TYPE)).toBe(413);
  });
});

it('one wrong item among 20,000 is found as fast as none', async () => {
  const items = Array.from({ length: 20_000 }, (_, index) => `{"data":"https://example.org/${index}"}`);
  const good = `{"items":[${items.join()}]}`;
  const wrong = good.replace('example.org/19998"', 'example.org/19998","x":1');
  const least = { good: Number.POSITIVE_INFINITY, wrong: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 6; round += 1) {
    for (const [name, body, status] of [
      ['good', good, 200],
      ['wrong', wrong, 400],
    ] as const) {
      const started = performance.now();
      const response = await validate(body, JSON_TYPE);
      await response.arrayBuffer();
      least[name] = Math.min(least[name], performance.now() - started);
      expect(response.status).toBe(status);
    }
  }
  expect(least.wrong).toBeLessThan(3 * least.good + 20);
});
