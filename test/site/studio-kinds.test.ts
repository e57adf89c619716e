/** The kinds that the studio offers, beside those of the contract. */

import { expect, it } from 'vitest';
import { KINDS } from '../../src/contract/kinds.js';

const asset = new URL('../../web/assets/studio-kinds.js', import.meta.url);
const { KINDS: OFFERED } = (await import(asset.href)) as { KINDS: Record<string, { fields: object }> };

it('are all but links and texts, with every field in its order', () => {
  const fields = Object.entries(OFFERED).map(([kind, offered]) => [kind, Object.keys(offered.fields)]);
  const { text: _, ...others } = KINDS;
  expect(Object.fromEntries(fields)).toEqual(
    Object.fromEntries(Object.entries(others).map(([kind, known]) => [kind, [...known]])),
  );
});
