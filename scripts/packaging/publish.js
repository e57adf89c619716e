/**
 * Publishes what `npm run release` made: `node scripts/packaging/publish.js [PART …]`. The parts, and the default: `image` (of this
 * machine's processor), `index` (joins the images of both processors), `npm`, `crates`, `page` (of the release on GitHub).
 */

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../check/output.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OUT = join(ROOT, 'release');

/** The crates for others, each after those that it needs. */
export const CRATES = ['qrpress-simd', 'qrpress-zip', 'qrpress-symbol'];

/** The file of the release that says which commit it was made of. */
export const REVISION = 'REVISION';

const { version, repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const [, owner] = /github\.com\/([\w.-]+)\/qrpress/.exec(repository.url);
const image = `ghcr.io/${owner.toLowerCase()}/qrpress:${version}`;

/** Commands by part. Their words have no spaces in them. */
const PARTS = {
  image: () => {
    const labels = `--build-arg VERSION=${version} --build-arg REVISION=${revision()}`;
    const attested = '--provenance=mode=max --sbom=true';
    return [
      `docker buildx build --push ${attested} --file deploy/Dockerfile ${labels} --tag ${image}-${process.arch} .`,
    ];
  },
  index: () => [`docker buildx imagetools create --tag ${image} ${image}-x64 ${image}-arm64`],
  npm: () => {
    // The workflow's identity signs them.
    const signed = process.env.GITHUB_ACTIONS === 'true' ? ' --provenance' : '';
    return packages().map((name) => `npm publish --access public${signed} ./release/${name}`);
  },
  crates: () => [`cargo publish --locked ${CRATES.map((name) => `--package ${name}`).join(' ')}`],
  page: () => {
    const files = readdirSync(OUT).map((name) => `./release/${name}`);
    return [`gh release create v${version} --verify-tag --notes-file CHANGELOG.md ${files.join(' ')}`];
  },
};

/** Runs the commands of some parts. `isDryRun`: only prints them. */
export function publish({ parts = Object.keys(PARTS), isDryRun = false }) {
  const commands = parts.flatMap((part) => PARTS[part]());
  if (!isDryRun) refuseUnfit(parts);
  for (const command of commands) {
    console.log(`${isDryRun ? 'would run' : 'runs'}: ${command}`);
    if (isDryRun) continue;
    const [program, ...words] = command.split(' ');
    execFileSync(program, words, { cwd: ROOT, stdio: 'inherit' });
  }
}

/** Ends the process where this commit may not be published. @param parts that are published now from `release/` */
export function refuseUnfit(parts = []) {
  const isMade = parts.some((part) => ['npm', 'page'].includes(part));
  const made = join(OUT, REVISION);
  const faults = [
    [owner === 'OWNER', 'package.json still has OWNER as its owner (see CONTRIBUTING.md)'],
    [said('git', 'status', '--porcelain') !== '', 'there are changes that are not committed'],
    [
      said('git', 'tag', '--points-at', 'HEAD') !== `v${version}`,
      `this commit does not have the tag v${version}, or has others`,
    ],
    [
      isMade && !(existsSync(made) && readFileSync(made, 'utf8').trim() === revision()),
      'release/ was not made of this commit',
    ],
  ];
  const complaints = faults.filter(([isWrong]) => isWrong).map(([, complaint]) => complaint);
  if (complaints.length > 0) fail(`not published: ${complaints.join('; ')}`);
}

/** Packages of the release, those of the addons first. */
function packages() {
  const names = readdirSync(OUT).filter((name) => name.endsWith('.tgz'));
  const addons = names.filter((name) => name.startsWith('qrpress-linux-'));
  return [...addons, ...names.filter((name) => !addons.includes(name))];
}

/** The commit, and whether files differ from it. */
export function revision() {
  return said('git', 'describe', '--always', '--exclude=*', '--abbrev=40', '--dirty');
}

function said(command, ...words) {
  return run(command, words).stdout.trim();
}

export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const parts = process.argv.slice(2);
  const strange = parts.find((part) => !(part in PARTS));
  if (strange !== undefined) fail(`there is no part ${strange}. The parts: ${Object.keys(PARTS).join(', ')}`);
  publish(parts.length > 0 ? { parts } : {});
}
