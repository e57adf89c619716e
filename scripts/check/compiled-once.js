/** Checks that the crates' tests use the crates that the addon was compiled from. */

import { run } from './output.js';

const PACKAGES = ['tree', '--locked', '--prefix=none', '--format={p} {f}', '--edges'];

/** Packages of the addon that tests need with other features: they, and all that use them, would be compiled a second time. One per line. */
export function compiledOnce() {
  const tested = packages('normal,build,dev');
  const others = packages('normal,build', '--package', 'qrpress-native').filter((line) => !tested.includes(line));
  if (others.length === 0) return '';
  return `${others.join('\n')}\nThe tests need these with more features. native/Cargo.toml can ask for the same ones.`;
}

/** Each package with its version and features. Cargo marks the ones that it has named before. */
function packages(edges, ...words) {
  const { status, stdout, stderr } = run('cargo', [...PACKAGES, edges, ...words]);
  if (status !== 0) throw new Error(stderr);
  return stdout.split('\n').map((line) => line.replace(/ \(\*\)$/, '').trimEnd());
}
