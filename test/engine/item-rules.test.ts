import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  assert,
  constant,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  oneof,
  property,
  record,
  string,
  tuple,
} from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/contract/limits.js';
import { ItemSchema } from '../../src/contract/request-schema.js';
import { native } from '../../src/engine/addon.js';
import { checkBody } from '../../src/engine/check-body.js';
import { explainValue } from '../../src/engine/explain-value.js';

native.openFonts([fileURLToPath(new URL('../../fonts', import.meta.url))]);
const folder = mkdtempSync(join(tmpdir(), 'qrpress-item-rules-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Paths and codes that the schema finds in an item. */
function bySchema(item: unknown): string[] {
  return explainValue(item, ItemSchema).issues.map(({ path, code }) => `${path} ${code}`);
}

/** Paths and codes that the engine finds in an item, when it is the only one. */
function byEngine(item: unknown): string[] {
  const bodyPath = join(folder, 'body');
  writeFileSync(bodyPath, JSON.stringify({ items: [item] }));
  const report = checkBody({ bodyPath, form: 'json', chunkItems: 10_000, spoolPath: join(folder, 'spool') });
  return 'refusal' in report
    ? report.refusal.issues
        // Glyphs that the fonts lack are no matter of the schema.
        .filter(({ code }) => code !== 'no_glyph')
        .map(({ path, code }) => `${path.replace('/items/0', '')} ${code}`)
    : [];
}

/** Text around a limit, of one or two UTF-16 units a character. */
const around = (limit: number) =>
  tuple(integer({ min: -1, max: 1 }), constantFrom('1', '😀')).map(([difference, character]) =>
    character.repeat(limit + difference),
  );

const member = (limit: number) =>
  oneof(
    { weight: 4, arbitrary: string({ unit: 'grapheme', maxLength: 40 }) },
    { weight: 2, arbitrary: around(limit) },
    constant(''),
    jsonValue({ maxDepth: 1 }),
  );

const item = oneof(
  {
    weight: 20,
    arbitrary: tuple(
      record(
        {
          data: oneof(string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), member(LIMITS.dataCharacters)),
          filename: member(LIMITS.filenameCharacters),
        },
        { requiredKeys: [] },
      ),
      dictionary(constantFrom('fileName', 'a/b', '~', '', 'items', '__proto__'), jsonValue({ maxDepth: 1 }), {
        maxKeys: 2,
      }),
    ).map(([known, unknown]) => Object.assign(unknown, known)),
  },
  jsonValue({ maxDepth: 2 }),
);

describe("the engine's item rules", () => {
  it('are those of the schema', () => {
    assert(
      property(item, (value) => {
        const expected = bySchema(value).toSorted();
        const found = byEngine(value)
          // The capacity of a symbol, which no schema can express.
          .filter((issue) => !/data_too_long|qr_too_large/.test(issue))
          .toSorted();
        expect(found).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});
