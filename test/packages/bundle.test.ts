/** The offline bundle, on a machine that has Node and nothing of this repository: no network, no sources, no settings. */

import { execFile, spawnSync } from 'node:child_process';
import { type Dirent, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { unzip } from '../support/decode.js';
import { snippetsOf } from '../support/pages.js';
import { ROOT } from './tool.js';

const [unpack, inClone, makeBundle] = snippetsOf('docs/run/install.md', 'bundle') as [string, string, string];
const [render, submit] = snippetsOf('README.md', 'bundle');

/** Packing compresses some hundred megabytes. */
const PATIENCE_MS = 300_000;

/** Through a pipe, as in a terminal: what Node hands a child as its standard error cannot be opened by name. */
const RUN_SCRIPT = 'bash -eu /home/script.sh 2>&1 | cat';

const run = promisify(execFile);
/** True where bubblewrap can make a container on this machine. */
const canBeAlone = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', 'true']).status === 0;

if (canBeAlone || process.env['QRPRESS_REQUIRE_ALL'] === '1') {
  describe('the bundle', bundle);
} else {
  test.skip('the bundle: bwrap (bubblewrap) is missing, or may not make namespaces', () => undefined);
}

function bundle() {
  let folder: string;

  beforeAll(async () => {
    expect(canBeAlone, 'bwrap (bubblewrap) is missing, or may not make namespaces').toBe(true);
    folder = mkdtempSync(join(tmpdir(), 'qrpress-bundle-'));
    await run('sh', ['-ec', `${makeBundle.trim()} ${folder}`], { cwd: ROOT });
  }, PATIENCE_MS);
  // It holds several copies of all packages, and other tests sync the same disk meanwhile.
  afterAll(() => rm(folder, { recursive: true, force: true }), PATIENCE_MS);

  /** Runs shell commands where there are Node, the archive, and the programs of the system; `home` is where files are left. */
  async function alone(script: string): Promise<{ output: string; home: string }> {
    const machine = mkdtempSync(join(folder, 'machine-'));
    const home = join(machine, 'home');
    for (const path of [home, join(machine, 'opt')]) mkdirSync(path);
    for (const name of readdirSync(folder).filter((file) => file.includes('.tar.gz')))
      cpSync(join(folder, name), join(home, name));
    writeFileSync(join(home, 'script.sh'), script);
    const system = ['/usr/lib', '/usr/lib64', '/lib', '/lib64', '/usr/bin', '/bin'];
    const mounts = [
      '--unshare-all --die-with-parent --proc /proc --dev /dev --tmpfs /tmp',
      system.map((path) => `--ro-bind-try ${path} ${path}`).join(' '),
      `--bind ${machine}/opt /opt --ro-bind ${process.execPath} /opt/node/node --bind ${home} /home --chdir /home`,
      '--clearenv --setenv PATH /opt/node:/usr/bin:/bin --setenv QRPRESS_LOG_LEVEL warn',
    ];
    const words = mounts.flatMap((line) => line.split(' '));
    const { stdout } = await run('bwrap', [...words, 'bash', '-o', 'pipefail', '-c', RUN_SCRIPT]);
    return { output: stdout, home };
  }

  it(
    'installs as the page says, and presses a job',
    async () => {
      const smallJob = readFileSync(join(ROOT, 'test', 'packages', 'small-job.sh'), 'utf8');
      const { output, home } = await alone(
        `${unpack}\nexport QRPRESS_DATA_DIR=/home/data\nset -- /opt/qrpress\n${smallJob}`,
      );
      expect(output).toMatch(/^qrpress-.*\.tar\.gz: OK$/m);
      expect(output).toMatch(/^ok {4}engine: /m);
      expect(output).toMatch(/^ok {4}fonts: /m);
      expect(output).toContain('drained');
      const posters = JSON.parse(readFileSync(join(ROOT, 'examples', 'posters.json'), 'utf8')) as { items: object[] };
      const entries = await unzip(readFileSync(join(home, 'data', 'codes.zip')));
      expect(entries.size, 'a PNG and an SVG for each').toBe(2 * posters.items.length);
    },
    PATIENCE_MS,
  );

  it('lists its packages in a bill of materials', () => {
    const root = join(folder, unpackedFolder());
    const manifests = readdirSync(join(root, 'node_modules'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /(?:^|node_modules\/)(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(path))
      .map((path) => JSON.parse(readFileSync(join(root, 'node_modules', path), 'utf8')) as Record<string, string>);
    expect(manifests.length).toBeGreaterThan(50);
    const installed = manifests.map((manifest) => `npm/${manifest['name']} ${manifest['version']}`);
    expect(billOf(join(root, 'sbom.cdx.json'))).toEqual(new Set(installed));
  });

  /** The bundle as it was unpacked, beside what the other tests make of it. */
  function unpackedFolder(): string {
    const entries = readdirSync(folder, { withFileTypes: true });
    return (entries.find((entry) => entry.isDirectory() && entry.name.startsWith('qrpress-')) as Dirent).name;
  }

  /** Each part as `registry/name version`. */
  function billOf(path: string): Set<string> {
    const { components } = JSON.parse(readFileSync(path, 'utf8')) as {
      components: { name: string; version: string; purl: string }[];
    };
    return new Set(components.map(({ name, version, purl }) => `${/^pkg:(\w+)/.exec(purl)?.[1]}/${name} ${version}`));
  }

  it('has the licences of all that is linked into its addon', () => {
    const native = join(folder, unpackedFolder(), 'native');
    const addon = readdirSync(native).find((file) => file.endsWith('.node')) as string;
    const notices = readFileSync(join(native, 'NOTICES.txt'), 'utf8');
    const named = new Set([...notices.matchAll(/^([\w-]+ \d[\w.+-]*) \(.+\)$/gm)].map(([, crate]) => crate));
    // The addon holds the source path of every crate that can panic, so it tells which crates it was built from.
    const paths = readFileSync(join(native, addon), 'latin1').matchAll(
      /registry\/src\/[^/]+\/([\w-]+)-(\d[\w.+-]*)\//g,
    );
    const linked = new Set([...paths].map(([, crate, version]) => `${crate} ${version}`));
    expect(linked.size).toBeGreaterThan(10);
    expect([...linked].filter((crate) => !named.has(crate))).toEqual([]);
    expect(billOf(join(native, 'sbom.cdx.json'))).toEqual(new Set([...named].map((crate) => `cargo/${crate}`)));
    const sections = notices.split(/^=+$/m).slice(1);
    for (const section of sections) {
      expect(section).toMatch(/copyright|unlicense|public domain/i);
    }
  });

  it(
    'does what the README walks through',
    async () => {
      const untilReady = 'until curl -sf http://127.0.0.1:8080/readyz; do sleep 0.1; done';
      const script = [
        unpack,
        'cd /opt/qrpress',
        inClone,
        'node dist/main.js serve &',
        untilReady,
        render,
        'cp codes.zip /home/rendered.zip',
        submit,
        'cp /tmp/codes.zip /home/downloaded.zip',
        'kill %1',
        'wait %1',
      ];
      const { output, home } = await alone(script.join('\n'));
      expect(output).toContain('2,000 of 2,000 items, 1.71 MB in codes.zip');
      const archives = ['downloaded.zip', 'rendered.zip'].map((name) => readFileSync(join(home, name)));
      const [downloaded, rendered] = await Promise.all(archives.map((archive) => unzip(archive)));
      expect(downloaded?.size).toBeGreaterThan(0);
      expect(rendered?.size).toBe(downloaded?.size);
    },
    PATIENCE_MS,
  );
}
