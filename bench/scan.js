/** How many codes with a logo other programs read: ours and hand-made ones, clean and through what cameras and mail do to pictures. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { report } from './report.js';
import { decoders } from './scan/decoders.js';
import { DISTORTIONS } from './scan/distortions.js';
import { KINDS } from './scan/logos.js';
import { handMade, own } from './scan/pictures.js';

const LEVELS = ['M', 'Q', 'H'];
const RATIOS = [0.1, 0.2, 0.3];
/** By where their alignment patterns lie: 7 to 13 have one in the middle, under the logo. */
const VERSIONS = { '2–6': [2, 4, 6], '7–13': [7, 10, 13], '14–20': [14, 17, 20] };
const MAKERS = { qrpress: own, 'by hand': handMade };

/** Each row has `items` different logos of each kind, on each of its versions. */
export async function scan({ items = 2, json }) {
  const folder = mkdtempSync(join(tmpdir(), 'qrpress-scan-'));
  try {
    const readers = decoders(folder);
    const results = [];
    for (const maker of Object.keys(MAKERS))
      for (const level of LEVELS)
        for (const ratio of RATIOS) results.push(...(await rows({ maker, level, ratio, items, folder, readers })));
    report('scan', [...results, ...totals(results)].map(shown), { json });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A row for each group of versions. */
async function rows({ maker, level, ratio, items, folder, readers }) {
  const versions = Object.values(VERSIONS).flat();
  const pictures = [];
  for (const kind of KINDS)
    for (let number = 0; number < items; number++)
      pictures.push(...(await MAKERS[maker]({ folder, kind, number, level, ratio, versions })));
  const distorted = [];
  for (const [distortion, distort] of Object.entries(DISTORTIONS))
    for (const { version, text, png } of pictures)
      distorted.push({ version, text, distortion, png: await distort(png, distorted.length) });
  const texts = {};
  for (const { name, read } of readers) texts[name] = await read(distorted.map(({ png }) => png));
  const names = readers.map(({ name }) => name);
  const seen = distorted.map(({ version, text, distortion }, index) => ({
    version,
    distortion,
    read: names.filter((name) => texts[name][index] === text),
  }));
  return Object.entries(VERSIONS).map(([group, members]) => ({
    maker,
    level,
    ratio,
    group,
    names,
    seen: seen.filter(({ version }) => members.includes(version)),
  }));
}

/** What each maker's pictures of a group of versions come to, over all levels and ratios. */
function totals(results) {
  return Object.keys(MAKERS).flatMap((maker) =>
    Object.keys(VERSIONS).map((group) => {
      const parts = results.filter((row) => row.maker === maker && row.group === group);
      return { ...parts[0], level: 'all', ratio: 'all', seen: parts.flatMap(({ seen }) => seen) };
    }),
  );
}

/** A row as shares in per cent: of clean pictures, and of distorted ones. */
function shown({ maker, level, ratio, group, names, seen }) {
  const share = (name, among) =>
    Math.round((100 * among.filter(({ read }) => read.includes(name)).length) / among.length);
  const clean = seen.filter(({ distortion }) => distortion === 'clean');
  const distorted = seen.filter(({ distortion }) => distortion !== 'clean');
  const columns = names.flatMap((name) => [
    [`${name} clean %`, share(name, clean)],
    [`${name} distorted %`, share(name, distorted)],
  ]);
  return { name: `${maker}, ${level}, ratio ${ratio}, versions ${group}`, ...Object.fromEntries(columns) };
}
