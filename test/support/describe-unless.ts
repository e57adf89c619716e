/** Suites that need something which a machine may lack. */

import { describe, test, type TestOptions } from 'vitest';

/**
 * Runs a suite, unless there is a reason why its requirement is missing. Then the suite counts as skipped, or fails when
 * `QRPRESS_REQUIRE_ALL=1`.
 */
export function describeUnless(
  absent: string | undefined,
  name: string,
  suite: () => void,
  options: TestOptions = {},
): void {
  if (absent === undefined) {
    describe(name, options, suite);
  } else if (process.env['QRPRESS_REQUIRE_ALL'] === '1') {
    test(name, () => Promise.reject(new Error(absent)));
  } else {
    test.skip(`${name}: ${absent}`, () => undefined);
  }
}
