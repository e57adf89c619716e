/**
 * Runs the set-up and the long tests: `npm run nightly -- [--seconds N] [PART …]`. Without `--seconds` all of them run. With it,
 * those that take many minutes are left out, the others begin with another one at each commit, and none begins after that
 * time: runs of several commits meet every one. The exit code is 1 when a part failed.
 */

import './setup.js';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const VITEST = join('node_modules', 'vitest', 'vitest.mjs');

/** Seconds of fuzzing for each target. */
const FUZZ_SECONDS = '600';
/** Texts that two readers must agree on, each in 24 looks: five minutes, or twenty seconds. */
const [ALL_CITIES, SOME_CITIES] = ['34006', '2000'];

/** How much longer than its limit a time may be, where the run is bounded: other programs run beside it. */
const PATIENCE = '10';

/** Parts that take many minutes, or tools that a machine may lack. */
const FOR_HOURS = new Set(['mariadb', 'fuzz', 'aarch64']);

const { seconds, names } = requested();
const isBounded = seconds !== Number.POSITIVE_INFINITY;

const vitest = (...words) => [process.execPath, [VITEST, 'run', ...words]];
const script = (name, ...words) => [process.execPath, [join('scripts', `${name}.js`), ...words]];
/** Test files of a folder in the project `nightly`, each a part of its own. */
const files = (folder) =>
  readdirSync(join(ROOT, 'test', folder))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => [
      `${folder}/${name.replace('.test.ts', '')}`,
      vitest('--project=nightly', `test/${folder}/${name}`),
    ]);

/** Commands by name. */
const PARTS = Object.fromEntries([
  ...files('siege'),
  ...files('packages'),
  [
    'faults',
    vitest('--project=nightly', 'test/recovery/second-process.test.ts', 'test/recovery/refused-redis.test.ts'),
  ],
  ['kills', vitest('--project=nightly', 'test/recovery/kills.test.ts')],
  ['disk', vitest('--project=nightly', 'test/recovery/disk.test.ts')],
  ['soak', vitest('--project=nightly', 'test/recovery/soak.test.ts')],
  ['schemathesis', vitest('--project=nightly', 'test/api/docs/schemathesis.test.ts')],
  // Each sync of a job fails in turn.
  ['syncs', vitest('--project=timed', 'test/recovery/syncs.test.ts')],
  ['pages', vitest('--project=host', '--project=nightly', 'test/browser/account.test.ts', 'test/browser/docs.test.ts')],
  ['readers', vitest('--project=host', 'test/engine/readers-agree.test.ts')],
  ['memory', vitest('--project=host', 'test/spec/large-download.test.ts')],
  // The queue, with files in a bucket.
  ['hosts', vitest('--project=nightly', 'test/jobs/work/queue', 'test/platform/tracing/two-processes.test.ts')],
  ['limits', vitest('--project=nightly', 'test/engine')],
  ['stores', vitest('--project=nightly', 'test/storage/s3-store.test.ts')],
  ['labels', vitest('--project=host', 'test/spec/label-sheets.test.ts')],
  // The suites that run on SQLite alone in `npm test`.
  ['mariadb', vitest('--project=host', 'test/spec', 'test/site', 'test/api', 'test/observability', 'test/jobs')],
  // Exhaustive tests of the crates, which `cargo test` leaves out.
  ['crates', ['cargo', ['test', '--quiet', '--', '--ignored']]],
  ['miri', script('miri')],
  ['fuzz', script('fuzz', FUZZ_SECONDS)],
  ['aarch64', script('aarch64')],
]);

const strange = names.find((name) => !(name in PARTS));
if (strange !== undefined) {
  console.error(`There is no part ${strange}. The parts: ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}

// What these tests use, where it can be had. A part without its tool says so.
for (const tools of ['package-tools', 'schemathesis']) {
  spawnSync(process.execPath, [join('scripts', 'install', `${tools}.js`)], { cwd: ROOT, stdio: 'inherit' });
}

const started = performance.now();
const elapsed = () => (performance.now() - started) / 1_000;
const outcomes = inTurn(names.length > 0 ? names : Object.keys(PARTS)).map((name) => {
  if (elapsed() >= seconds) return [name, 'not run'];
  console.log(`\n== ${name}`);
  const [command, words] = PARTS[name];
  const cities = isBounded ? SOME_CITIES : ALL_CITIES;
  const env = {
    ...process.env,
    QRPRESS_TEST_NIGHTLY: '1',
    QRPRESS_TEST_DATABASES: 'all',
    QRPRESS_TEST_CITIES: cities,
    QRPRESS_TEST_DISK_STRIDE: '1',
    QRPRESS_TEST_PATIENCE: isBounded ? PATIENCE : '1',
  };
  const passes = () => spawnSync(command, words, { cwd: ROOT, stdio: 'inherit', env }).status === 0;
  // CI tries twice what a busy machine may spoil.
  return [name, passes() || (isBounded && passes()) ? 'passed' : 'failed'];
});

const having = (wanted) => outcomes.filter(([, outcome]) => outcome === wanted).map(([name]) => name);
for (const outcome of ['passed', 'failed', 'not run'])
  console.log(`${outcome}: ${having(outcome).join(', ') || 'none'}`);
process.exitCode = having('failed').length === 0 ? 0 : 1;

/** The parts. Where the time is bounded: the shorter ones, beginning with another one at each commit. */
function inTurn(parts) {
  if (!isBounded) return parts;
  const all = parts.filter((name) => !FOR_HOURS.has(name));
  const { stdout } = spawnSync('git', ['rev-list', '--count', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
  const first = (Number(stdout) || 0) % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

function requested() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { seconds: { type: 'string' } } });
    const bound = values.seconds === undefined ? Number.POSITIVE_INFINITY : Number(values.seconds);
    if (!(bound > 0)) throw new Error('--seconds is a positive number');
    return { seconds: bound, names: positionals };
  } catch (error) {
    console.error(`${error.message}: npm run nightly -- [--seconds N] [PART …]`);
    return process.exit(2);
  }
}
