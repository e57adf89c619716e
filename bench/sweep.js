/**
 * Pictures of this tree against those of another commit, byte for byte: `npm run bench -- sweep --against COMMIT`. It measures no
 * time. The program `bench/sweep` is built with the crates of both, and draws the same sweep of styles.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The most lines that are shown of what differs. */
const SHOWN = 10;

/** Prints how many pictures of each kind are equal, and which are not; ends with 1 where one is not. */
export function sweep({ against }) {
  if (against === undefined) throw new Error('--against names the commit to compare with');
  const before = drawnBy(against);
  const after = lines(run('cargo', ['run', '--release', '--locked', '--quiet', '-p', 'qrpress-sweep'], ROOT));
  const filesBefore = new Map(before);
  const kinds = new Map();
  for (const [style, files] of after) {
    const kind = style.split(':')[0];
    const counts = kinds.get(kind) ?? { equal: 0, different: [] };
    kinds.set(kind, counts);
    if (filesBefore.get(style) === files) counts.equal += 1;
    else counts.different.push(style);
  }
  for (const [kind, { equal, different }] of kinds) {
    console.log(`${kind}: ${equal} of ${equal + different.length} equal`);
    for (const style of different.slice(0, SHOWN)) console.log(`  differs: ${style}`);
  }
  const isSame = before.length === after.length && [...kinds.values()].every(({ different }) => different.length === 0);
  if (!isSame) process.exitCode = 1;
}

/** The lines of another commit: the program of this tree, with that commit's crates and lockfile, in a folder that goes. */
function drawnBy(commit) {
  const folder = mkdtempSync(join(tmpdir(), 'qrpress-sweep-'));
  const tree = join(folder, 'tree');
  const program = join(folder, 'sweep');
  try {
    run('git', ['worktree', 'add', '--quiet', '--detach', tree, commit], ROOT);
    cpSync(join(ROOT, 'bench/sweep/src'), join(program, 'src'), { recursive: true });
    cpSync(join(tree, 'Cargo.lock'), join(program, 'Cargo.lock'));
    writeFileSync(join(program, 'Cargo.toml'), manifest(tree));
    return lines(run('cargo', ['run', '--release', '--quiet'], program));
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', tree], { cwd: ROOT, stdio: 'ignore' });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The program's `Cargo.toml` as a workspace of its own. */
function manifest(tree) {
  const crate = (name) => `qrpress-${name} = { path = ${JSON.stringify(join(tree, 'crates', name))} }`;
  return [
    '[package]',
    'name = "qrpress-sweep"',
    'version = "0.1.0"',
    'edition = "2024"',
    '[workspace]',
    '[dependencies]',
    crate('image'),
    crate('logo'),
    crate('symbol'),
    'png = "=0.18.1"',
    '',
  ].join('\n');
}

/** Pairs of a style and the hashes of its files. */
function lines(output) {
  return output
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
}

function run(command, words, cwd) {
  return execFileSync(command, words, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}
