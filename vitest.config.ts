/** Settings of the host's tests. They use the compiled engine process and the addon, which `npm test` builds first. */

import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Clauses of the contract by name. A test has the names of the clauses that it checks as tags. */
const CLAUSES = JSON.parse(readFileSync(new URL('test/spec/clauses.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;

/** Short files with slow tests. Without times of an earlier run, vitest assumes that long files are slow. */
const SLOW = /(?:recovery\/kills|dispatch\/many-hosts|storage\/(?:s3-store|service-on-s3)|tracing\/tracing)\.test\.ts$/;

/** Runs slow files first, so that none of them runs alone at the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- vitest's name for it
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/database-pool.ts'],
    setupFiles: ['test/support/hold-to-contract.ts'],
    // A process for each file: a test that ends its process does not lose the results of other files.
    pool: 'forks',
    maxWorkers: 2,
    tags: Object.entries(CLAUSES).map(([name, description]) => ({ name, description })),
    sequence: { sequencer: SlowFirst },
    allowOnly: false,
    // CI's machine may be busy, and its report shows the retry. Elsewhere a flaky test should be seen at once.
    retry: process.env['CI'] ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
