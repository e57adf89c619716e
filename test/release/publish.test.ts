/** The published parts, their order, and the commits that may be published. Programs that would publish only write down how they were called. */

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MADE = [
  'REVISION',
  'SHA256SUMS',
  'qrpress-1.0.0.tgz',
  'qrpress-client-1.0.0.tgz',
  'qrpress-linux-x64-gnu-1.0.0.tgz',
];
const IMAGE = 'ghcr.io/acme/qrpress:1.0.0';

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'qrpress-publish-'));
  for (const path of ['scripts/packaging/publish.js', 'scripts/check/output.js', '.gitignore']) {
    cpSync(join(ROOT, path), join(clone, path));
  }
  for (const folder of ['release', 'bin']) mkdirSync(join(clone, folder));
  for (const name of MADE) writeFileSync(join(clone, 'release', name), '');
  for (const name of ['npm', 'cargo', 'docker', 'gh']) {
    writeFileSync(join(clone, 'bin', name), `#!/bin/sh\necho "${name} $*" >>.git/calls\n`, { mode: 0o755 });
  }
  symlinkSync(execFileSync('which', ['git'], { encoding: 'utf8' }).trim(), join(clone, 'bin', 'git'));
  symlinkSync(process.execPath, join(clone, 'bin', 'node'));
  git('init', '--quiet');
  commit('https://github.com/Acme/qrpress.git');
});
afterEach(() => rmSync(clone, { recursive: true }));

function git(...words: string[]): string {
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];
  return execFileSync('git', [...author, ...words], { cwd: clone, encoding: 'utf8' }).trim();
}

/** Says of which commit the release is made. */
function make(revision: string): void {
  writeFileSync(join(clone, 'release', 'REVISION'), `${revision}\n`);
}

function commit(url: string): void {
  writeFileSync(join(clone, 'package.json'), JSON.stringify({ version: '1.0.0', repository: { url }, type: 'module' }));
  git('add', '.');
  git('commit', '--quiet', '--message', 'A version');
  make(git('rev-parse', 'HEAD'));
}

function publish(...parts: string[]) {
  const { status, stderr } = spawnSync('node', ['scripts/packaging/publish.js', ...parts], {
    cwd: clone,
    encoding: 'utf8',
    env: { PATH: join(clone, 'bin') },
  });
  const calls = join(clone, '.git', 'calls');
  return { status, complaint: stderr, calls: existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [] };
}

it('publishes a tagged commit, packages of addons first', () => {
  git('tag', 'v1.0.0');
  const { status, complaint, calls } = publish();
  expect(status, complaint).toBe(0);
  expect(calls.map((call) => call.replace(/ --provenance=.* --tag/, ' … --tag'))).toEqual([
    `docker buildx build --push … --tag ${IMAGE}-${process.arch} .`,
    `docker buildx imagetools create --tag ${IMAGE} ${IMAGE}-x64 ${IMAGE}-arm64`,
    'npm publish --access public ./release/qrpress-linux-x64-gnu-1.0.0.tgz',
    'npm publish --access public ./release/qrpress-1.0.0.tgz',
    'npm publish --access public ./release/qrpress-client-1.0.0.tgz',
    'cargo publish --locked --package qrpress-simd --package qrpress-zip --package qrpress-symbol',
    `gh release create v1.0.0 --verify-tag --notes-file CHANGELOG.md ${MADE.map((name) => `./release/${name}`).join(' ')}`,
  ]);
  expect(calls[0]).toContain(`--sbom=true --file deploy/Dockerfile --build-arg VERSION=1.0.0`);
  expect(calls[0]).toContain(`--build-arg REVISION=${git('rev-parse', 'HEAD')}`);
});

it('publishes the parts that are named', () => {
  git('tag', 'v1.0.0');
  expect(publish('index', 'page').calls.map((call) => call.split(' ', 1)[0])).toEqual(['docker', 'gh']);
  expect(publish('crate')).toMatchObject({ status: 1, complaint: expect.stringContaining('no part crate') });
});

it.each([
  ['that has no tag', 'the tag v1.0.0', () => undefined],
  ['with the tag of another version', 'the tag v1.0.0', () => git('tag', 'v1.0.1')],
  [
    'with changes',
    'not committed',
    () => {
      git('tag', 'v1.0.0');
      writeFileSync(join(clone, 'package-lock.json'), '');
    },
  ],
  [
    'of which nothing was made',
    'release/ was not made of this commit',
    () => {
      git('tag', 'v1.0.0');
      make(`${git('rev-parse', 'HEAD')}-dirty`);
    },
  ],
  [
    'without an owner',
    'OWNER',
    () => {
      commit('https://github.com/OWNER/qrpress.git');
      git('tag', 'v1.0.0');
    },
  ],
])('publishes nothing from a commit %s', (_, complaint, prepare) => {
  prepare();
  expect(publish()).toMatchObject({ status: 1, complaint: expect.stringContaining(complaint), calls: [] });
});
