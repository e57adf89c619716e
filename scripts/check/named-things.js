/** Checks that the labels, settings, metrics, commands and options that the docs name exist. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './output.js';

const PAGES = ['README.md', 'SECURITY.md', 'docs/guides/*.md', 'docs/operate/*.md'];
/** Pages that tests hold to the settings, the metrics and the help of the commands. */
const HELD = ['docs/operate/configuration.md', 'docs/operate/monitoring.md', 'docs/guides/command-line.md'];
/** Files with the texts of the pages that people see. */
const SEEN = ['web/pages', 'web/reference', 'web/assets/*.js', 'src/site'];

const BLOCK = /^```.*?^```$/gms;
const CODE = /`(?<code>[^`\n]+)`/g;
const LABEL = /(?<![*\w])\*(?<label>[^*\n]+)\*(?!\*)/g;
/** In code: a setting, a metric, an option, or a command of `admin`. */
const NAME = /\bQRPRESS_[A-Z_]+|\bqrpress_[a-z0-9_]+|(?<![\w-])--[a-z][\w-]*|\badmin [a-z-]+/g;
/** Code with options of other programs. */
const FOREIGN = /^(?:docker|kubectl|node) /;

/** Names that nothing has, one per line. */
export function namedThings() {
  const held = new Set(HELD.flatMap((page) => read(page).match(NAME)));
  const seen = filesOf(SEEN).map(read).join('\n');
  return filesOf(PAGES)
    .flatMap((page) => {
      // Lines are wrapped anywhere.
      const text = read(page)
        .replaceAll(BLOCK, '')
        .replaceAll(/(?<=\S)\n(?=\S)/g, ' ');
      const codes = Array.from(text.matchAll(CODE), ({ groups }) => groups.code).filter((code) => !FOREIGN.test(code));
      const names = codes.flatMap((code) => code.match(NAME) ?? []).filter((name) => !held.has(name));
      const labels = Array.from(text.replaceAll(CODE, '').matchAll(LABEL), ({ groups }) => groups.label);
      return [
        ...names.map((name) => `${page}: there is no ${name}`),
        ...labels.filter((label) => !isSeen(label, seen)).map((label) => `${page}: no page says “${label}”`),
      ];
    })
    .join('\n');
}

const read = (file) => readFileSync(join(ROOT, file), 'utf8');

function filesOf(paths) {
  const { stdout } = run('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...paths]);
  return stdout.split('\n').filter((file) => file !== '');
}

/** The label begins a text of a template or a string, and its last word ends there. `…` is any text. */
function isSeen(label, seen) {
  const escaped = label.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('…', String.raw`[^\n]+?`);
  return new RegExp(`[>"'\`“;] ?${escaped}[^\\w-]`).test(seen);
}
