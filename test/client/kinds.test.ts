/** The kinds of codes in the client library, held to the cases that the engine's are held to as well. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Kind, KindError, kindData, type KindValues } from '../../src/client/client.js';
import { KINDS } from '../../src/contract/kinds.js';

const { kinds, cases } = JSON.parse(readFileSync(new URL('../kinds/cases.json', import.meta.url), 'utf8')) as {
  kinds: object;
  cases: { kind: Kind; fields: KindValues<Kind>; data?: string; refused?: string }[];
};

it('have the fields that the engine knows', () => {
  expect(KINDS).toEqual(kinds);
});

it.each(cases)('$kind $fields', ({ kind, fields, data, refused }) => {
  let found: object;
  try {
    found = { data: kindData(kind, fields) };
  } catch (error) {
    expect(error).toBeInstanceOf(KindError);
    found = { refused: (error as KindError).field };
  }
  expect(found).toEqual(data === undefined ? { refused } : { data });
});
