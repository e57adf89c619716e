import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import {
  assert,
  boolean,
  constant,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  oneof,
  property,
  record,
  string,
} from 'fast-check';
import { expect, it } from 'vitest';
import { jobMeta } from '../../src/contract/checkers.js';
import { LIMITS } from '../../src/contract/limits.js';
import { JobMetaSchema, StyleSchema } from '../../src/contract/request-schema.js';
import { explainValue } from '../../src/engine/explain-value.js';

const ajv = new Ajv2020({ strict: false, allErrors: true }).compile(JobMetaSchema);

const text = oneof(
  constantFrom('png', 'Q', 'all', 'transparent', '#12aBef', '#12aBeg', 'data:image/png;base64,AA', ''),
  integer({ min: LIMITS.captionCharacters - 1, max: LIMITS.captionCharacters + 1 }).map((length) =>
    '😀'.repeat(length),
  ),
  string(),
);
const value = oneof(
  { weight: 3, arbitrary: text },
  {
    weight: 2,
    arbitrary: oneof(integer({ min: -1, max: 80 }), constantFrom(0.2, 0.05, 0.3, 0.31, 1.5, 72, 2400, 2401)),
  },
  boolean(),
  jsonValue({ maxDepth: 1 }),
);
const colours = constantFrom('transparent', '#000000', '#FFFFFF', 'red');
const unknown = dictionary(constantFrom('colour', 'a/b', '~', '__proto__', 'items'), constant(1), { maxKeys: 1 });
const object = (members: Parameters<typeof record>[0]) =>
  oneof({ weight: 9, arbitrary: record(members, { requiredKeys: [] }) }, value).chain((known) =>
    unknown.map((others) =>
      typeof known === 'object' && known !== null && !Array.isArray(known) ? { ...known, ...others } : known,
    ),
  );
const style = object({
  ...Object.fromEntries(Object.keys(StyleSchema.properties).map((name) => [name, value])),
  foreground: oneof(colours, value),
  background: oneof(colours, value),
  logo: object({ dataUrl: value, sizeRatio: value }),
  caption: object({ text: value, colour: value, fontSize: value }),
});
const meta = object({ format: value, style, name: value, verify: value, sendEmail: value });

/** The path that our issue has for an error of Ajv's. */
function pathOf({ keyword, instancePath, params }: ErrorObject): string {
  const names: Record<string, string | undefined> = {
    additionalProperties: params['additionalProperty'],
    required: params['missingProperty'],
    not: 'background',
  };
  const name = names[keyword];
  return name === undefined ? instancePath : `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

it('finds what an independent validator finds', () => {
  assert(
    property(meta, (settings) => {
      // As the engine does: JSON has members of the name __proto__.
      const parsed: unknown = JSON.parse(JSON.stringify(settings));
      const { issues } = explainValue(parsed, JobMetaSchema);
      expect(jobMeta.Check(parsed)).toBe(ajv(parsed));
      const expected = new Set((ajv.errors ?? []).map(pathOf));
      expect(issues.map(({ path }) => path).toSorted()).toEqual([...expected].toSorted());
    }),
    { numRuns: 2_000 },
  );
});

it('writes pointers that are text', () => {
  const { issues } = explainValue({ '\uD800a': 1 }, JobMetaSchema);
  expect(issues.map(({ path }) => path)).toEqual(['/\uFFFDa']);
});
