/**
 * Checks that every command in the README and in docs/operate is run by a test or marked as untested.
 *
 * The line above each block of shell commands is `<!-- tested: FILE … -->`, with the tests that run or repeat it, or contains
 * the words "not tested here". A test that reads its commands from the page names the page.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './output.js';

const FENCE = /^\s*(?:```|~~~)(?<language>\w*)/;
/** Languages of blocks that people type into a shell. A block without a language may be one. */
const SHELLS = new Set(['', 'sh', 'bash', 'shell', 'console', 'zsh']);
const TESTED = /<!-- tested: (?<files>.+?) -->/;
const UNTESTED = /\bnot tested here\b/i;

/** Blocks without a mark, and marks that name no file, one per line. */
export function commands() {
  const pages = readdirSync(join(ROOT, 'docs/operate')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...pages.map((name) => join('docs/operate', name))].flatMap(complaintsOf).join('\n');
}

function complaintsOf(page) {
  return blocksOf(readFileSync(join(ROOT, page), 'utf8'))
    .filter(({ language }) => SHELLS.has(language))
    .map(({ line, above }) => [line, complaintOf(above)])
    .filter(([, complaint]) => complaint !== undefined)
    .map(([line, complaint]) => `${page}:${line}: ${complaint}`);
}

/** The fenced blocks of a page: their language, their line from 1, and the last line with text before them. */
function blocksOf(text) {
  const blocks = [];
  let isInside = false;
  let above = '';
  for (const [index, line] of text.split('\n').entries()) {
    const fence = FENCE.exec(line);
    if (fence !== null) {
      if (!isInside) blocks.push({ language: fence.groups.language, line: index + 1, above });
      isInside = !isInside;
      above = '';
    } else if (!isInside && line.trim() !== '') {
      above = line;
    }
  }
  return blocks;
}

function complaintOf(above) {
  const files = TESTED.exec(above)?.groups.files.split(/,\s*/);
  if (files === undefined) {
    return UNTESTED.test(above)
      ? undefined
      : 'the line above says neither `<!-- tested: FILE -->` nor "not tested here"';
  }
  const absent = files.filter((file) => !existsSync(join(ROOT, file)));
  return absent.length > 0 ? `there is no ${absent.join(', ')}` : undefined;
}
