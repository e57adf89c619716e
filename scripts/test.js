/**
 * Runs the set-up and every test, of the crates and of the host. Ends with `N passed, N failed`. The exit code is 1 when
 * anything failed or could not run.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const HOST_REPORT = join(ROOT, '.cache', 'vitest.json');
const CRATE_RESULT = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/;

/** The crates of `bench/` have no tests; `npm run check` compiles them. */
const CARGO_TEST = ['test', '--workspace', '--exclude=qrpress-bench', '--exclude=qrpress-sweep'];

// Compiles the tests meanwhile: one processor is idle while the addon is linked. A failure is repeated and reported below.
const compiled = endOf(spawn('cargo', [...CARGO_TEST, '--no-run'], { cwd: ROOT, stdio: 'ignore' }));
await import('./setup.js');
await compiled;

const suites = [await testCrates(), await testHost()];
const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((key) =>
  suites.reduce((sum, counts) => sum + counts[key], 0),
);
console.log(`\n${skipped} skipped`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function testCrates() {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const cargo = spawn('cargo', [...CARGO_TEST, '--no-fail-fast'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface(cargo.stdout).on('line', (line) => {
    console.log(line);
    const [, ...found] = CRATE_RESULT.exec(line)?.map(Number) ?? [];
    for (const [index, key] of ['passed', 'failed', 'skipped'].entries()) counts[key] += found[index] ?? 0;
  });
  return withEnd(counts, 'cargo test', await endOf(cargo));
}

async function testHost() {
  rmSync(HOST_REPORT, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${HOST_REPORT}`];
  const vitest = spawn(process.execPath, [join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...reporters], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const end = await endOf(vitest);
  const report = existsSync(HOST_REPORT) ? JSON.parse(readFileSync(HOST_REPORT, 'utf8')) : undefined;
  const counts = {
    passed: report?.numPassedTests ?? 0,
    // A file that cannot be loaded has no tests. It counts as one failure.
    failed:
      (report?.numFailedTests ?? 0) +
      (report?.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length ??
        0),
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  };
  return withEnd(counts, 'vitest', end);
}

/** Counts as one failure: a suite that failed without a failed test, because of a crash, an unhandled error or no compiler. */
function withEnd(counts, suite, end) {
  if (end === 'exit 0' || counts.failed > 0) return counts;
  console.error(`${suite} did not run to its end: ${end}`);
  return { ...counts, failed: 1 };
}

async function endOf(child) {
  try {
    const [code, signal] = await once(child, 'close');
    return signal ? `signal ${signal}` : `exit ${code}`;
  } catch (error) {
    return error.message;
  }
}
