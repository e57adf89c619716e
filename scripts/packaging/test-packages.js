/**
 * Builds the image of deploy/Dockerfile and runs it as docs/run/install.md does, with a job through it: `npm run test:packages`.
 * It takes minutes. QRPRESS_TEST_CONTAINERS names the container program (default: `podman`). QRPRESS_TEST_BUILD_WORDS and
 * QRPRESS_TEST_RUN_WORDS are further words for its `build` and `run`, such as other base images without access to a registry.
 * With `--no-build` it runs the existing image.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = process.env.QRPRESS_TEST_CONTAINERS ?? 'podman';
const BUILD_WORDS = wordsOf(process.env.QRPRESS_TEST_BUILD_WORDS);
const RUN_WORDS = wordsOf(process.env.QRPRESS_TEST_RUN_WORDS);
const PAGE = 'docs/run/install.md';
/** Name of the container on the page. */
const NAME = 'qrpress';
const MAIN = ['node', 'dist/main.js'];

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const tag = `${NAME}:${version}`;

// HEALTHCHECK exists only in Docker's format.
const format = PROGRAM.endsWith('docker') ? [] : ['--format', 'docker'];
if (process.argv.includes('--no-build')) {
  step('the image is there', () => engine('inspect', '--type', 'image', tag));
} else {
  const words = ['--file', 'deploy/Dockerfile', '--tag', tag, ...format, ...BUILD_WORDS];
  step('the image is built', () => engine('build', ...words, '.'));
}
try {
  step('it starts as the page says', () => shell(runCommand()));
  step('it becomes ready', () => engineUntil('exec', NAME, 'node', '-e', fetching('readyz')));
  step('its health check says so', () => PROGRAM.endsWith('docker') || engine('healthcheck', 'run', NAME));
  step('it is user 10001, without capabilities', () => {
    const status = engine('exec', NAME, 'cat', '/proc/1/status');
    expect(/^Uid:\t10001\t/m.test(status) && /^CapEff:\t0+$/m.test(status) && /^NoNewPrivs:\t1$/m.test(status), status);
  });
  step('its root is read-only', () => {
    const { status, stderr } = spawnSync(PROGRAM, ['exec', NAME, 'touch', '/opt/qrpress/new'], { encoding: 'utf8' });
    expect(status !== 0 && stderr.includes('Read-only'), stderr);
  });
  step('its doctor finds nothing amiss', () => engine('exec', NAME, ...MAIN, 'doctor'));
  step('a job goes through it', () => {
    const owner = ['--name', 'Example', '--owner', 'owner@example.org', '--credits', '10000'];
    const { organisationId } = admin('create-organisation', ...owner);
    const { key } = admin('create-key', '--organisation', organisationId, '--name', 'example');
    const where = ['--url', 'http://127.0.0.1:8080', '--key', key, '--out', '/data/codes.zip', '--json'];
    const report = JSON.parse(engine('exec', NAME, ...MAIN, 'submit', 'examples/cities.ndjson', ...where));
    expect(report.completed > 0 && report.completed === report.total, JSON.stringify(report));
  });
  step('SIGTERM reaches it, and it drains', () => {
    engine('stop', '--time', '30', NAME);
    const code = engine('inspect', '--format', '{{.State.ExitCode}}', NAME).trim();
    expect(code === '0', `it ended with ${code}`);
  });
} finally {
  spawnSync(PROGRAM, ['rm', '--force', '--volumes', NAME]);
  spawnSync(PROGRAM, ['volume', 'rm', 'qrpress-data']);
}

/** The page's own `docker run`, for the container program in use. */
function runCommand() {
  const page = readFileSync(new URL(`../../${PAGE}`, import.meta.url), 'utf8');
  const block = /^```sh test=packages\ndocker (?<words>run [^]*?)^```$/m.exec(page);
  return [PROGRAM, block.groups.words.replace(/^run /, `run ${RUN_WORDS.join(' ')} `)].join(' ');
}

function admin(...words) {
  return JSON.parse(engine('exec', NAME, ...MAIN, 'admin', ...words, '--json'));
}

/** A program for `node -e` that succeeds once `path` answers successfully. */
function fetching(path) {
  return `fetch('http://127.0.0.1:8080/${path}').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))`;
}

function step(name, run) {
  try {
    run();
    console.log(`ok     ${name}`);
  } catch (error) {
    console.log(`FAILED ${name}\n${error.message}`);
    process.exitCode = 1;
    throw error;
  }
}

/** The output of the container program. */
function engine(...words) {
  const { status, stdout, stderr, error } = spawnSync(PROGRAM, words, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  expect(status === 0, `${PROGRAM} ${words.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`);
  return stdout;
}

function engineUntil(...words) {
  const until = performance.now() + 60_000;
  while (spawnSync(PROGRAM, words).status !== 0) {
    expect(performance.now() < until, `${words.join(' ')}: not within a minute`);
  }
}

function shell(command) {
  const { status, stderr } = spawnSync('sh', ['-ec', command], { cwd: ROOT, encoding: 'utf8' });
  expect(status === 0, stderr);
}

function expect(holds, otherwise) {
  if (!holds) throw new Error(otherwise);
}

function wordsOf(text = '') {
  return text.split(' ').filter(Boolean);
}
