/** Draws the pictures of `docs/make/look.md` anew. The title of a picture there is its style. */

import './setup.js';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = join(ROOT, 'docs', 'make', 'look.md');
const PICTURES = join(ROOT, 'docs', 'pictures');

const { logo } = JSON.parse(readFileSync(join(ROOT, 'examples', 'posters.json'), 'utf8')).style;
const guide = readFileSync(PAGE, 'utf8');
const scratch = mkdtempSync(join(tmpdir(), 'qrpress-pictures-'));
mkdirSync(PICTURES, { recursive: true });
for (const name of readdirSync(PICTURES)) {
  if (name.endsWith('.svg')) rmSync(join(PICTURES, name));
}
for (const [, path, title] of guide.matchAll(/!\[.*?\]\((\S+) '(.*)'\)/g)) {
  const style = { scale: 4, ...JSON.parse(title) };
  if (style.logo !== undefined) style.logo.dataUrl = logo.dataUrl;
  writeFileSync(
    join(scratch, 'body.json'),
    JSON.stringify({ format: 'svg', style, items: [{ data: 'https://example.org/table/12' }] }),
  );
  const folder = join(scratch, 'drawn');
  execFileSync(process.execPath, [
    join(ROOT, 'dist', 'main.js'),
    'render',
    join(scratch, 'body.json'),
    '--out',
    `${folder}/`,
  ]);
  copyFileSync(join(folder, readdirSync(folder)[0]), join(dirname(PAGE), path));
  rmSync(folder, { recursive: true });
}
rmSync(scratch, { recursive: true });
