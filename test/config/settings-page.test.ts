/** `docs/reference/settings.md` names every setting, with its default and its range. */

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** `QRPRESS_PASSWORDS=off` needs a provider. */
const PROVIDER = {
  QRPRESS_OIDC_ISSUER: 'https://login.example.com',
  QRPRESS_OIDC_CLIENT_ID: 'qrpress',
  QRPRESS_OIDC_CLIENT_SECRET: 'sesame',
};

const page = await readFile(`${ROOT}/docs/reference/settings.md`, 'utf8');
const rows = [...page.matchAll(/^\| `(?<names>[^|]*)` \| (?<fallback>[^|]*) \| (?<range>[^|]*) ?\|/gm)].flatMap(
  ({ groups }) =>
    (groups?.['names'] ?? '').split('`, `').map((name) => ({
      name,
      fallback: groups?.['fallback'] ?? '',
      range: (groups?.['range'] ?? '').trim(),
    })),
);

const configOf = (name: string, value: string) => readConfig({ ...PROVIDER, [name]: value });

it('names every setting', async () => {
  const source = await readFile(`${ROOT}/src/config/config.ts`, 'utf8');
  const read = Array.from(source.matchAll(/settings\.read\(\s*'(\w+)'/g), ([, name]) => `QRPRESS_${name}`);
  expect(read.length).toBeGreaterThan(20);
  const names = rows.map(({ name }) => name).filter((name) => name.startsWith('QRPRESS_'));
  expect(names.toSorted()).toEqual(read.toSorted());
});

it.each(rows.filter(({ range }) => /^\d/.test(range)))('has the range of $name', ({ name, fallback, range }) => {
  const [minimum = 0, maximum = 0] = range.split('–').map(Number);
  for (const value of [minimum, maximum]) {
    expect(() => configOf(name, `${value}`)).not.toThrow();
  }
  for (const value of [minimum - 1, maximum + 1]) {
    expect(() => configOf(name, `${value}`)).toThrow(name);
  }
  if (/^\d+$/.test(fallback)) {
    expect(configOf(name, fallback)).toEqual(readConfig(PROVIDER));
  }
});

it.each(rows.filter(({ range }) => range.startsWith('`')))('has the values of $name', ({ name, fallback, range }) => {
  for (const value of range.replaceAll('`', '').split(', ')) {
    expect(() => configOf(name, value)).not.toThrow();
  }
  expect(() => configOf(name, 'nonsense')).toThrow(range.replaceAll('`', ''));
  expect(configOf(name, fallback)).toEqual(readConfig(PROVIDER));
});
