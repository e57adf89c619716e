/**
 * Runs the tests of the one crate with `unsafe` code under Miri, which finds undefined behaviour: `npm run test:miri`. Covers
 * portable code and AVX2; Miri does not know AVX-512. Takes about a minute. Needs a nightly toolchain with Miri. Without one it
 * says so, and fails if `QRPRESS_REQUIRE_ALL` is set.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LEVELS = { portable: '', AVX2: '-C target-feature=+avx2,+bmi1,+bmi2,+lzcnt,+popcnt' };

if (spawnSync('cargo', ['+nightly', 'miri', '--version'], { cwd: ROOT }).status !== 0) {
  console.log('skipped: Miri needs `rustup toolchain install nightly --component miri,rust-src`');
  process.exit(process.env.QRPRESS_REQUIRE_ALL === '1' ? 1 : 0);
}
const failed = Object.keys(LEVELS).filter((level) => !passes(level));
console.log(failed.length === 0 ? 'Miri found nothing' : `Miri failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function passes(level) {
  console.log(`Miri, ${level}`);
  const { status } = spawnSync(
    'cargo',
    ['+nightly', 'miri', 'test', '--locked', '-p', 'qrpress-simd', '--test', 'levels'],
    {
      cwd: ROOT,
      // The tests read the command line and the environment, which Miri isolates by default.
      env: { ...process.env, RUSTFLAGS: LEVELS[level], MIRIFLAGS: '-Zmiri-disable-isolation' },
      stdio: 'inherit',
    },
  );
  return status === 0;
}
