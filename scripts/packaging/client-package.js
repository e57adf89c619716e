/** The client as a package of its own, `@qrpress/client`: JavaScript and declarations that need nothing else. */

import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contractTypes } from './contract-types.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILT = join(ROOT, 'dist', 'client');

/** Writes the compiled client into `folder`, with the contract's types as plain declarations. */
export async function writeClient(folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(BUILT).filter((file) => !file.endsWith('.map'))) {
    const text = readFileSync(join(BUILT, name), 'utf8')
      .replaceAll(/'\.\.\/contract\/[\w-]+\.js'/g, "'./contract.js'")
      .replace(/^\/\/# sourceMappingURL=.*\n?/m, '');
    writeFileSync(join(folder, name), text);
  }
  writeFileSync(join(folder, 'contract.d.ts'), await contractTypes());
}

/** Writes the whole package into `folder`. */
export async function writeClientPackage(folder) {
  const { version, license, repository, homepage, bugs } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  await writeClient(folder);
  cpSync(join(ROOT, 'src', 'client', 'README.md'), join(folder, 'README.md'));
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  const manifest = {
    name: '@qrpress/client',
    version,
    description: 'Client of qrpress, a service that makes QR codes in bulk. For browsers, Node.js, Deno and Bun',
    keywords: ['qr', 'qrcode', 'bulk', 'client'],
    license,
    repository: { ...repository, directory: 'src/client' },
    homepage,
    bugs,
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './client.d.ts', default: './client.js' }, './package.json': './package.json' },
    publishConfig: { access: 'public' },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
