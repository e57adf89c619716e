/** Loads the addon: the file that set-up has built, or else that of the installed package for this platform. */

import { createRequire } from 'node:module';
import type * as Native from '#native';

const { platform, arch } = process;
const require = createRequire(import.meta.url);

export const native = load();

function load(): typeof Native {
  const errors: unknown[] = [];
  // A system refuses the addon of another C library, and only Linux has several.
  for (const system of ['-gnu', '-musl', ''].map((library) => `${platform}-${arch}${library}`)) {
    for (const path of [`../../native/qrpress.${system}.node`, `qrpress-${system}`]) {
      try {
        return require(path) as typeof Native;
      } catch (error) {
        errors.push(error);
      }
    }
  }
  throw new AggregateError(errors, `No addon for ${platform}-${arch} can be loaded`);
}
