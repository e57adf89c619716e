/** A whole release, but for publishing: all parts are made, and each is installed and tried in a clean folder (`npm run release`). */

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './tool.js';

/** It compiles crates, and compresses some hundred megabytes. */
const PATIENCE_MS = 1_200_000;

it('publishes nothing unless it is told to', () => {
  const release = (...words: string[]) =>
    spawnSync(process.execPath, ['scripts/release.js', ...words], { cwd: ROOT, encoding: 'utf8' });
  for (const words of [[], ['--all-targets'], ['--dry-run', '--publish']]) {
    const { status, stderr } = release(...words);
    expect(stderr).toContain('either --dry-run or --publish');
    expect(status).toBe(1);
  }
}, 120_000);

it(
  'makes a release whose parts work where they are installed',
  () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/release.js', '--dry-run'], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, CARGO_NET_OFFLINE: 'true' },
    });
    expect(status, `${stdout}${stderr}`).toBe(0);
    const names = readdirSync(join(ROOT, 'release')).filter((name) => !name.endsWith('.tar'));
    const platform = /^qrpress-(linux-.*)-\d.*\.tgz$/m.exec(names.join('\n'))?.[1];
    const parts = [
      ...['simd', 'symbol', 'zip'].map((crate) => `qrpress-${crate}-${version}.crate`),
      ...['', 'client-', `${platform}-`].map((name) => `qrpress-${name}${version}.tgz`),
      `qrpress-${version}-${platform}.tar.gz`,
    ];
    expect(names.toSorted()).toEqual([...parts, 'REVISION', 'SHA256SUMS'].toSorted());
    for (const part of parts) expect(stdout).toMatch(new RegExp(` \\d{4,}  [0-9a-f]{12}…  ${part}$`, 'm'));
    for (const part of ['crates', 'qrpress, from npm', '@qrpress/client', 'bundle']) {
      expect(stdout).toMatch(new RegExp(`^ok {5}(?:the )?${part}`, 'm'));
    }
    expect(stdout).toContain(`would run: npm publish --access public ./release/qrpress-client-${version}.tgz`);
    expect(stdout).not.toContain('runs: ');
  },
  PATIENCE_MS,
);
