/**
 * Runs the crates' tests on aarch64, which has portable code alone, in an emulator: `node scripts/aarch64.js [arguments of cargo test]`.
 * Golden hashes must be those of x86-64. Takes some minutes. Needs qemu, a cross compiler and Rust's library for aarch64. Without
 * them it says what is missing, and fails if `QRPRESS_REQUIRE_ALL` is set.
 */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TARGET = 'aarch64-unknown-linux-gnu';
const LINKER = 'aarch64-linux-gnu-gcc';
const EMULATOR = 'qemu-aarch64';

/** The folder of aarch64's C library, where Debian has it. */
const LIBRARIES = '/usr/aarch64-linux-gnu';

const missing = [
  ...(runs(EMULATOR, '--version') ? [] : [`${EMULATOR}: install Debian's qemu-user`]),
  ...(runs(LINKER, '--version') ? [] : [`${LINKER}: install Debian's gcc-aarch64-linux-gnu and libc6-dev-arm64-cross`]),
  ...(hasLibrary() ? [] : [`Rust's library: rustup target add ${TARGET}`]),
];
if (missing.length > 0) {
  console.log(`skipped: the tests on aarch64 need\n  ${missing.join('\n  ')}`);
  process.exit(process.env.QRPRESS_REQUIRE_ALL === '1' ? 1 : 0);
}
const prefix = `CARGO_TARGET_${TARGET.toUpperCase().replaceAll('-', '_')}`;
// The addon is Node's: its tests need a Node for aarch64.
const words = ['test', '--locked', '--release', '--target', TARGET, '--workspace', '--exclude', 'qrpress-native'];
const benches = ['--exclude', 'qrpress-bench', '--exclude', 'qrpress-sweep'];
const { status } = spawnSync('cargo', [...words, ...benches, ...process.argv.slice(2)], {
  cwd: ROOT,
  env: {
    ...process.env,
    // The last optimisations take most of the time of a build, for each of thirty test programs.
    CARGO_PROFILE_RELEASE_LTO: 'off',
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '16',
    [`${prefix}_LINKER`]: LINKER,
    [`${prefix}_RUNNER`]: `${EMULATOR} -L ${LIBRARIES}`,
  },
  stdio: 'inherit',
});
console.log(status === 0 ? 'all tests passed on aarch64' : 'tests failed on aarch64');
process.exitCode = status === 0 ? 0 : 1;

function runs(command, ...args) {
  return spawnSync(command, args).status === 0;
}

/** Returns true if Rust's library for aarch64 is installed. */
function hasLibrary() {
  const library = spawnSync('rustc', ['--print', 'target-libdir', '--target', TARGET], { encoding: 'utf8' });
  return library.status === 0 && existsSync(library.stdout.trim());
}
