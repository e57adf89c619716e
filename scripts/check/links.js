/** Checks that every relative link on a page leads to a file that exists and, behind a `#`, to one of its headings. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ROOT, run } from './output.js';

const LINK = /\]\((?<target>[^)\s]+)(?: '[^']*')?\)/g;
const HEADING = /^#{1,6} (?<title>.+)$/gm;
const CODE = /^```.*?^```$|`[^`\n]*`/gms;

/** Links that lead nowhere, one per line. */
export function links() {
  const pages = run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md']).stdout.split('\n');
  return pages
    .filter((page) => page !== '' && existsSync(join(ROOT, page)))
    .flatMap(deadLinksOf)
    .join('\n');
}

function deadLinksOf(page) {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(CODE, '');
  return [...new Set(Array.from(text.matchAll(LINK), ({ groups }) => groups.target))]
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => !exists(page, target))
    .map((target) => `${page}: ${target} leads nowhere`);
}

function exists(page, target) {
  const [path, anchor] = target.split('#');
  const file = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(ROOT, file))) return false;
  return anchor === undefined || (statSync(join(ROOT, file)).isFile() && anchorsOf(file).has(anchor));
}

/** The anchors that a code host gives the headings of `file`. The docs pages of the service make the same. */
function anchorsOf(file) {
  const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^```.*?^```$/gms, '');
  return new Set(Array.from(text.matchAll(HEADING), ({ groups }) => anchorOf(groups.title)));
}

function anchorOf(title) {
  return title
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}
