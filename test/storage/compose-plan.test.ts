/** How blobs become parts, held against what S3 takes, for any blobs. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCopied, type Part, planParts } from '../../src/storage/compose-plan.ts';

const MEBIBYTE = 1024 * 1024;
const SMALLEST = 5 * MEBIBYTE;

const bytesOf = (part: Part) => part.reduce((sum, { start, end }) => sum + end - start + 1, 0);

const blobs = fc
  .array(
    fc.oneof(
      fc.integer({ min: 1, max: SMALLEST + 1 }),
      fc.integer({ min: SMALLEST, max: 2_000 * MEBIBYTE }),
      fc.constantFrom(1, SMALLEST - 1, SMALLEST, SMALLEST + 1, 256 * MEBIBYTE, 256 * MEBIBYTE + 1),
    ),
    { minLength: 1, maxLength: 60 },
  )
  .map((sizes) => sizes.map((bytes, index) => ({ key: `blob-${index}`, bytes })));

test('every byte is in one part, in order', () => {
  fc.assert(
    fc.property(blobs, (given) => {
      const pieces = planParts(given).flat();
      for (const { key, bytes } of given) {
        let position = 0;
        for (const piece = () => pieces[0]; position < bytes; pieces.shift()) {
          expect(piece()).toMatchObject({ key, start: position });
          position = piece()!.end + 1;
        }
        expect(position).toBe(bytes);
      }
      expect(pieces).toEqual([]);
    }),
  );
});

test('no part is smaller or larger than S3 takes, and none is large that is held in memory', () => {
  fc.assert(
    fc.property(blobs, (given) => {
      const parts = planParts(given);
      expect(parts.slice(0, -1).every((part) => bytesOf(part) >= SMALLEST)).toBe(true);
      for (const part of parts) {
        expect(bytesOf(part)).toBeLessThanOrEqual(
          isCopied(part) ? 256 * MEBIBYTE : Math.max(SMALLEST, bytesOf(parts.flat()) / 9_999 + 1),
        );
      }
    }),
  );
});

test('an archive of many small segments has no more parts than S3 takes', () => {
  const many = Array.from({ length: 40_000 }, (_, index) => ({ key: `blob-${index}`, bytes: 3 * MEBIBYTE }));
  expect(planParts(many).length).toBeLessThanOrEqual(10_000);
});
