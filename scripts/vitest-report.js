/**
 * A reporter of vitest: counts the tests of a run, and writes the counts, the tests that passed, the errors of those that failed and
 * the times of its files as JSON. `QRPRESS_TEST_REPORT` names the file.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export default class Report {
  onTestRunEnd(modules) {
    const path = process.env['QRPRESS_TEST_REPORT'];
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const passedNames = [];
    const failures = [];
    const files = modules.map((module) => {
      const file = module.relativeModuleId;
      const fail = (name, errors) => {
        counts.failed += 1;
        failures.push({
          file,
          name,
          errors: errors.map(({ message, stack, diff }) => [message, diff, stack].join('\n')),
        });
      };
      const tests = [...module.children.allTests()];
      for (const test of tests) {
        const { state, errors } = test.result();
        const name = `${file} > ${test.fullName}`;
        if (state === 'failed') fail(name, errors);
        else if (state === 'passed') {
          counts.passed += 1;
          passedNames.push(name);
        } else counts.skipped += 1;
      }
      if (module.state() === 'passed') passedNames.push(file);
      // A file that cannot be loaded has no tests; where a hook fails, its tests are skipped. Both count as one failure.
      if (module.state() === 'failed' && tests.every((test) => test.result().state !== 'failed')) {
        fail(
          file,
          [module, ...module.children.allSuites()].flatMap((part) => part.errors()),
        );
      }
      const { prepareDuration, setupDuration, collectDuration, duration } = module.diagnostic();
      return {
        name: file,
        ms: prepareDuration + setupDuration + collectDuration + duration,
        cases: tests.map((test) => ({ name: test.fullName, ms: test.diagnostic()?.duration ?? 0 })),
      };
    });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ ...counts, passedNames, failures, files }));
  }
}
