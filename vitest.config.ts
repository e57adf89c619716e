/** Settings of the host's tests. They test the compiled host, `dist`, which is built before they run. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type ProjectConfig, type TestSpecification } from 'vitest/node';

/** Clauses of the contract by name. A test has the names of the clauses that it checks as tags. */
const CLAUSES = JSON.parse(readFileSync(new URL('test/spec/clauses.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;

/** Short files with slow tests. Without times of an earlier run, vitest assumes that long files are slow. */
const SLOW =
  /(?:queue\/without-redis|browser\/(?:account|answers|forms)|cli\/backup\/backup|spec\/(?:label-sheets|restart)|storage\/service-on-s3|tracing\/tracing)\.test\.ts$/;

/** Runs slow files first, so that none of them runs alone at the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- vitest's name for it
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

/** Long tests, which `npm run nightly` runs. */
const NIGHTLY = [
  'test/siege/**/*.test.ts',
  'test/packages/**/*.test.ts',
  'test/browser/docs.test.ts',
  'test/engine/{hanging-decoder,task-limits}.test.ts',
  'test/platform/tracing/two-processes.test.ts',
  'test/recovery/{disk,kills,soak,second-process,refused-redis}.test.ts',
  'test/jobs/work/queue/{many-hosts,broken-worker}.test.ts',
  'test/storage/s3-store.test.ts',
  'test/api/docs/schemathesis.test.ts',
];

/** Tests that hold a service to times: fewer files at a time may compete with them. */
const TIMED = ['test/recovery/{workers,syncs,locked-row}.test.ts'];

/** The compiled host. */
const DIST = fileURLToPath(new URL('dist/', import.meta.url));

export default defineConfig({
  test: {
    globalSetup: ['test/support/built.ts', 'test/support/database-pool.ts'],
    tags: Object.entries(CLAUSES).map(([name, description]) => ({ name, description })),
    sequence: { sequencer: SlowFirst },
    projects: [
      // A test of the host waits during more than half of its time.
      project('host', {
        include: ['test/**/*.test.ts'],
        exclude: [...TIMED, ...NIGHTLY],
        maxWorkers: 6,
        sequence: { groupOrder: 0 },
      }),
      project('timed', { include: TIMED, exclude: NIGHTLY, maxWorkers: 2, sequence: { groupOrder: 1 } }),
      // Some of them measure the memory of their process.
      project('nightly', { include: NIGHTLY, isolate: true, maxWorkers: 1, sequence: { groupOrder: 2 } }),
    ],
  },
});

/** A group of test files that run at the same time. */
function project(name: string, options: ProjectConfig): TestProjectInlineConfiguration {
  return {
    // Node.js loads the compiled host itself. Vitest would hand `src` over module by module, for each test file anew.
    resolve: { alias: [{ find: /^(?:\.\.\/)+src\//, replacement: DIST }] },
    test: {
      name,
      server: { deps: { external: [/^(?!.*\/node_modules\/).*\/dist\//] } },
      setupFiles: ['test/support/hold-to-contract.ts'],
      // A process that a test ends does not take the results of other files with it.
      pool: 'forks',
      // Each process runs many files: to load the host, and what holds it to the contract, takes longer than most files take.
      isolate: false,
      allowOnly: false,
      testTimeout: 30_000,
      hookTimeout: 60_000,
      // Of a second, which is the default, a busy machine may take all for one look.
      expect: { poll: { timeout: 20_000 } },
      ...options,
    },
  };
}
