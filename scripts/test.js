/**
 * Runs the set-up and every test, of the crates and of the host. Lists the slowest files, and ends with `N passed, N failed`. The exit code is 1 when
 * anything failed or could not run.
 */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { CARGO_WORDS } from './cargo-words.js';
import { rememberRetries } from './retries.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** A third of the processor time of a process of the host's tests. With less, most of the crates' tests would run after those, and alone. */
const CRATES_NICENESS = 5;
const CRATE_RESULT = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/gm;

// Beside the set-up and the host's tests, of which half is waiting.
const crates = testCrates();
await import('./setup.js');
const suites = [await testHost('host')];
// Tests that hold a service to times run alone.
suites.push(await crates, await testHost('timed'));
// CI's machine may be busy, and its report shows the second try. Elsewhere a flaky test should be seen at once.
if (process.env.CI !== undefined) await tryAgain();

const [passed, broken, skipped] = ['passed', 'failed', 'skipped'].map((key) =>
  suites.reduce((sum, counts) => sum + counts[key], 0),
);
const retried = suites.flatMap((suite) => suite.retried ?? []);
const unstable = rememberRetries(retried);
const failed = broken + unstable.length;
console.log(
  `\nThe slowest files:\n${spawnSync(process.execPath, ['scripts/slowest.js', '10'], { cwd: ROOT, encoding: 'utf8' }).stdout}`,
);
// The end of a long log is what people see first, and some see nothing else.
for (const { name, errors } of suites.flatMap((suite) => suite.failures ?? [])) {
  console.log(`failed: ${name}\n${errors.join('\n')}`);
}
for (const name of retried) console.log(`tried twice: ${name}`);
for (const name of unstable) console.log(`failed, since it was tried twice in three runs in a row: ${name}`);
console.log(`${skipped} skipped, ${retried.length} tried twice`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function testCrates() {
  const words = ['test', '--no-fail-fast', ...CARGO_WORDS];
  const cargo = spawn('cargo', words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = endOf(cargo);
  // The set-up ends this process when it fails.
  process.once('exit', () => cargo.kill());
  if (cargo.pid !== undefined) setPriority(cargo.pid, CRATES_NICENESS);
  const [output, errors] = await Promise.all([text(cargo.stdout), text(cargo.stderr)]);
  console.log(`${errors}${output}`);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const [, ...found] of output.matchAll(CRATE_RESULT)) {
    for (const [index, key] of Object.keys(counts).entries()) counts[key] += Number(found[index]);
  }
  return withEnd(counts, 'cargo test', await end);
}

/** Runs the files with tests that failed once more, beside nothing else. A test that passes then has not failed. */
async function tryAgain() {
  for (const suite of suites) {
    const failures = suite.failures ?? [];
    if (failures.length === 0) continue;
    console.log(`\nOnce more:\n${failures.map(({ name }) => name).join('\n')}`);
    const second = await testHost(suite.project, [...new Set(failures.map(({ file }) => file))]);
    const passedNow = failures.filter(({ name }) => second.passedNames.includes(name));
    suite.retried = passedNow.map(({ name }) => name);
    suite.passed += passedNow.length;
    suite.failed -= passedNow.length;
    suite.failures = failures.filter((failure) => !passedNow.includes(failure));
  }
}

/** Runs the tests of one project of `vitest.config.ts`, or some of its files. */
async function testHost(project, files = []) {
  const path = join(ROOT, '.cache', files.length > 0 ? 'vitest-again.json' : `vitest-${project}.json`);
  rmSync(path, { force: true });
  const words = [join('node_modules', 'vitest', 'vitest.mjs'), 'run', `--project=${project}`, ...files];
  const reporters = ['--reporter=default', '--reporter=./scripts/vitest-report.js'];
  const vitest = spawn(process.execPath, [...words, ...reporters], {
    cwd: ROOT,
    env: { ...process.env, QRPRESS_TEST_REPORT: path },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const end = await endOf(vitest);
  const nothing = { passed: 0, failed: 0, skipped: 0, failures: [], passedNames: [] };
  const counts = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : nothing;
  return withEnd({ ...counts, project }, `vitest, ${project}`, end);
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
