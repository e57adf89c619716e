/**
 * A reporter of vitest: counts the tests of a run, and writes the counts, the errors of the tests that failed, the tests that were
 * tried twice and the times of its files as JSON. `QRPRESS_TEST_REPORT` names the file.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export default class Report {
  onTestRunEnd(modules) {
    const path = process.env['QRPRESS_TEST_REPORT'];
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const retried = [];
    const failures = [];
    const files = modules.map((module) => {
      const tests = [...module.children.allTests()];
      for (const test of tests) {
        const { state, errors } = test.result();
        counts[state === 'pending' ? 'skipped' : state] += 1;
        if (state === 'failed') {
          const name = `${module.relativeModuleId} > ${test.fullName}`;
          failures.push({ name, errors: errors.map(({ message, stack, diff }) => [message, diff, stack].join('\n')) });
        }
        if (state === 'passed' && test.diagnostic()?.retryCount > 0) {
          retried.push(`${module.relativeModuleId} > ${test.fullName}`);
        }
      }
      // A file that cannot be loaded has no tests. It counts as one failure.
      if (module.state() === 'failed' && tests.length === 0) counts.failed += 1;
      const { prepareDuration, setupDuration, collectDuration, duration } = module.diagnostic();
      return {
        name: module.relativeModuleId,
        ms: prepareDuration + setupDuration + collectDuration + duration,
        cases: tests.map((test) => ({ name: test.fullName, ms: test.diagnostic()?.duration ?? 0 })),
      };
    });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ ...counts, failures, retried, files }));
  }
}
