/** Pages of `docs` that are made from tables and help texts. `QRPRESS_BLESS=1` writes them anew. */

import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createDocument } from '../../../src/api/docs/document.js';
import { docsSite } from '../../../src/api/docs/page/docs-site.js';
import { readBrand } from '../../../src/config/brand.js';
import { readConfig } from '../../../src/config/config.js';
import { qrpress } from '../../support/command-line.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MARK = /<!-- Below, made from .* -->\n/;

async function expectPage(name: string, text: string): Promise<void> {
  const path = join(ROOT, 'docs', name);
  if (process.env['QRPRESS_BLESS'] === '1') {
    await writeFile(path, text);
  }
  expect(await readFile(path, 'utf8')).toBe(text);
}

it.each(['reference/errors.md', 'reference/api.md', 'decide/limits.md'])(
  '%s is what the service publishes with all defaults',
  async (name) => {
    const config = readConfig({});
    const page = docsSite(createDocument(config), config, readBrand(config)).get(`/docs/${basename(name)}`);
    await expectPage(name, String(page?.content));
  },
);

/** Commands that need no access to the machine of the service. */
const FOR_USERS = new Set(['render', 'submit']);

/** A required option that its first line tells enough of, such as `--organisation <id>`: the ID of the organisation. */
const SAYS_NO_MORE = /`: the [^,;:.(]* \(required\)$/;

const oneLine = (text: string) => text.trim().replaceAll(/\s+/g, ' ');

/** The options in a help text as items of a list. `--json` is left out. */
function optionsOf(help: string): string[] {
  const [, options = ''] = help.split('Options:\n');
  return Array.from(options.matchAll(/^ {2}(?<flags>-\S+(?: \S+)*) {2,}(?<does>[^]*?)(?=^ {2}-|$(?![^]))/gm))
    .map(({ groups }) => `- \`${groups?.['flags'] ?? ''}\`: ${oneLine(groups?.['does'] ?? '')}`)
    .filter((option) => !option.startsWith('- `--json`'));
}

it('command-line.md has the help of every command', { timeout: 60_000 }, async () => {
  const help = async (...words: string[]) => {
    const { stdout } = await qrpress([...words, '--help']);
    // Every command has the same option for its help.
    return stdout.replaceAll(/^ {2}-h, --help .*\n/gm, '');
  };
  const below = (text: string) =>
    Array.from(text.split('Commands:')[1]?.matchAll(/^ {2}([\w-]+)/gm) ?? [], ([, name = '']) => name).filter(
      (name) => name !== 'help',
    );
  const sections: Record<'users' | 'operators', string[]> = { users: [], operators: [] };
  const drawing = optionsOf(await help('render'));
  for (const name of below(await help())) {
    const text = await help(name);
    const commands = below(text);
    for (const words of commands.length > 0 ? commands.map((each) => [name, each]) : [[name]]) {
      const its = commands.length > 0 ? await help(...words) : text;
      const [, does = ''] = its.split('\n\n');
      // What `submit` has in common with `render` is said once, and `--json` above.
      const all = optionsOf(its);
      const options = all.filter((option) => name === 'render' || !drawing.includes(option));
      const same = name === 'submit' ? ' It takes the options of `render` too:' : '';
      const required = all.filter((option) => option.endsWith(' (required)'));
      const flags = required.map((option) => /`(.*?)`/.exec(option)?.[1]).join(' ');
      const first = flags === '' ? '' : `\`${flags}\`\n\n`;
      const listed = options.filter((option) => !SAYS_NO_MORE.test(option));
      const list = listed.map((option) => `${option.replace(/ \(required\)$/, '')}\n`).join('');
      sections[FOR_USERS.has(name) ? 'users' : 'operators'].push(
        `### qrpress ${words.join(' ')}\n\n${first}${oneLine(does)}${same}\n${list && `\n${list}`}`,
      );
    }
  }
  const page = await readFile(join(ROOT, 'docs/reference/command-line.md'), 'utf8');
  const [intro = ''] = page.split(MARK);
  const parts = [
    `## For users\n\n${sections.users.join('\n')}`,
    `## For operators\n\n${sections.operators.join('\n')}`,
  ];
  await expectPage('reference/command-line.md', `${intro}${MARK.exec(page)?.[0]}\n${parts.join('\n')}`);
});
