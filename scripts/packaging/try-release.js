/** Installs each part of a release in a clean folder, without a compiler but for crates, and runs its quick start. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startService } from '../service-process.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Settings of npm that say where packages come from. Those of this clone must not take effect. */
const KEPT = new Set(['npm_config_registry', 'npm_config_cache', 'npm_config_cafile', 'npm_config_userconfig']);
const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:npm_|QRPRESS_)/i.test(name) || KEPT.has(name)),
);
/** Programs that installing and running a package may find. */
const PROGRAMS = ['node', 'npm', 'npx', 'sh'];

/**
 * @param {string} folder with the parts, and their checksums
 * @param {string} scratch
 * @throws Error with the output of what failed
 */
export async function tryRelease(folder, scratch) {
  const files = readdirSync(folder);
  const paths = (pattern) => files.filter((name) => pattern.test(name)).map((name) => join(folder, name));
  const clean = (name) => {
    mkdirSync(join(scratch, name));
    return join(scratch, name);
  };
  const poor = { ...ENVIRONMENT, PATH: poorPath(clean('bin')), QRPRESS_DATA_DIR: clean('data') };
  const poorly = (cwd, ...words) => run(words, { cwd, env: poor });
  const platform = /^qrpress-\d.*-(?<name>linux-.*)\.tar\.gz$/m.exec(files.join('\n')).groups.name;

  /** An installed engine is what the one of this clone is, and the system confines it as well. */
  const ofEngine = (said) => said.match(/^\S+ +(?:engine|fonts|confinement): .*$/gm);
  const wanted = ofEngine(poorly(ROOT, 'node', 'dist/main.js', 'doctor'));

  step('the checksums', () => run(['sha256sum', '--check', '--strict', 'SHA256SUMS'], { cwd: folder }));
  step('the crates', () => tryCrates(paths(/\.crate$/), clean('crates')));

  const program = clean('program');
  const main = join(program, 'node_modules', 'qrpress', 'dist', 'main.js');
  step('qrpress, from npm', () => {
    const addon = paths(new RegExp(`^qrpress-${platform}-.*\\.tgz$`));
    install(program, [...addon, ...paths(/^qrpress-\d.*\.tgz$/)], poorly);
    writeFileSync(join(program, 'list.csv'), 'Link,Name\nhttps://example.org/1,one\nhttps://example.org/2,two\n');
    poorly(program, 'npx', '--no', 'qrpress', 'render', 'list.csv', '--out', 'codes.zip');
    expectCodes(join(program, 'codes.zip'), ['one.png', 'two.png']);
    expectSame(ofEngine(poorly(program, 'npx', '--no', 'qrpress', 'doctor')), wanted);
  });
  const service = await startService({ credits: 2, main });
  try {
    step('@qrpress/client', () => {
      const client = clean('client');
      install(client, paths(/^qrpress-client-/), poorly);
      expectSame(
        readdirSync(join(client, 'node_modules')).filter((name) => !name.startsWith('.')),
        ['@qrpress'],
      );
      const [, start] = /^```js\n(.*?)^```/ms.exec(readFileSync(join(ROOT, 'src/client/README.md'), 'utf8'));
      writeFileSync(join(client, 'codes.mjs'), start);
      const env = { ...poor, QRPRESS_URL: service.url, QRPRESS_KEY: service.key };
      run(['node', 'codes.mjs'], { cwd: client, env });
      expectCodes(join(client, 'codes.zip'), ['example.org-1.png', 'example.org-2.png']);
    });
  } finally {
    await service.stop();
  }
  step('the bundle', () => {
    const bundle = clean('unpacked');
    run(['tar', '-xzf', ...paths(/\.tar\.gz$/), '-C', bundle, '--strip-components=1']);
    expectSame(ofEngine(poorly(bundle, 'node', 'dist/main.js', 'doctor')), wanted);
  });
}

/** Examples of the crates as programs of a project that depends on their packages. */
function tryCrates(packages, folder) {
  mkdirSync(join(folder, 'src', 'bin'), { recursive: true });
  const crates = packages.map((path) => {
    run(['tar', '-xzf', path, '-C', folder]);
    const [, name, version] = /([\w-]+?)-(\d[\w.-]*)\.crate$/.exec(path);
    const [example] = readdirSync(join(folder, `${name}-${version}`, 'examples'));
    return { name, version, folder: `${name}-${version}`, example };
  });
  const lines = [
    ['[package]', 'name = "tried"', 'edition = "2024"', '[dependencies]'],
    crates.map(({ name, version }) => `${name} = "=${version}"`),
    ['[patch.crates-io]'],
    crates.map((crate) => `${crate.name} = { path = "${crate.folder}" }`),
  ];
  writeFileSync(join(folder, 'Cargo.toml'), lines.flat().join('\n'));
  const env = { ...process.env, CARGO_TARGET_DIR: join(folder, 'target') };
  for (const crate of crates) {
    const text = readFileSync(join(folder, crate.folder, 'examples', crate.example), 'utf8');
    writeFileSync(join(folder, 'src', 'bin', crate.example), text);
    run(['cargo', 'run', '--offline', '--quiet', '--bin', crate.example.replace('.rs', '')], { cwd: folder, env });
  }
}

/** A path on which there is nothing but what a machine with Node.js has. */
function poorPath(folder) {
  for (const name of PROGRAMS) {
    const path = name === 'node' ? process.execPath : run(['which', name]).trim();
    symlinkSync(path, join(folder, name));
  }
  return folder;
}

function install(folder, packages, npm) {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  npm(folder, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...packages);
}

function expectCodes(archive, names) {
  expectSame(run(['unzip', '-Z1', archive]).trim().split('\n'), names);
  run(['unzip', '-tqq', archive]);
}

function expectSame(found, wanted) {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) {
    throw new Error(`${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
  }
}

function step(name, attempt) {
  const started = performance.now();
  attempt();
  console.log(`ok     ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
}

/** The output of a program. */
function run([program, ...words], options = {}) {
  try {
    return execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], ...options });
  } catch (error) {
    throw new Error(`${program} ${words.join(' ')}: ${error.stdout}${error.stderr}`, { cause: error });
  }
}
