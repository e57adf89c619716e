/** How the host's tests run. They use the compiled engine process and the addon: `npm test` sets those up first. */

import { readFileSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type ProjectConfig, type TestSpecification } from 'vitest/node';

/** Clauses of the contract by name. A test carries the names of those that it holds the service to. */
const CLAUSES = JSON.parse(readFileSync(new URL('test/spec/clauses.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;

/** Short files of tests that take long. Without times of an earlier run, vitest takes long files for slow ones. */
const SLOW = /(?:recovery\/kills|dispatch\/many-hosts|storage\/(?:s3-store|service-on-s3)|tracing\/tracing)\.test\.ts$/;

/** Begins with slow files, so that none of them runs alone at the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- vitest's name for it
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

/** Tests that hold a service to times, or kill it: they need the machine for themselves, or nearly so. */
const TIMED = ['test/{recovery,siege}/**/*.test.ts', 'test/packages/rollout.test.ts'];

const isCi = process.env['CI'] !== undefined;

export default defineConfig({
  test: {
    globalSetup: ['test/support/database-pool.ts'],
    tags: Object.entries(CLAUSES).map(([name, description]) => ({ name, description })),
    sequence: { sequencer: SlowFirst },
    projects: [
      // Most of these tests wait for others half of their time.
      project('host', { include: ['test/**/*.test.ts'], exclude: TIMED, maxWorkers: 4, sequence: { groupOrder: 0 } }),
      project('timed', { include: TIMED, maxWorkers: 2, sequence: { groupOrder: 1 } }),
    ],
  },
});

/** A group of test files that run at the same time. */
function project(name: string, options: ProjectConfig): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      setupFiles: ['test/support/hold-to-contract.ts'],
      // A process for each file: a test that takes its process down takes no other file's results with it.
      pool: 'forks',
      allowOnly: false,
      // On a busy machine, and said in the report. At a desk a test that fails now and then is seen at once.
      retry: isCi ? 1 : 0,
      testTimeout: 30_000,
      hookTimeout: 60_000,
      ...options,
    },
  };
}
