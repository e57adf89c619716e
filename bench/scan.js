/**
 * Rates at which other programs read codes with a logo: the engine's and hand-made ones, clean and distorted; and clean ones by
 * other rules for clearing modules, and without a logo.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { report } from './report.js';
import { decoders } from './scan/decoders.js';
import { DISTORTIONS } from './scan/distortions.js';
import { KINDS } from './scan/logos.js';
import { CLEAN_ALONE, pictures } from './scan/pictures.js';

const LEVELS = ['L', 'M', 'Q', 'H'];
const RATIOS = [0.1, 0.2, 0.3];
const CLEAN = { clean: DISTORTIONS.clean };

/** Each row has `items` different logos of each kind, on each version from 1 to 20. */
export async function scan({ items = 1, json }) {
  const folder = mkdtempSync(join(tmpdir(), 'qrpress-scan-'));
  try {
    const readers = decoders(folder);
    const names = readers.map(({ name }) => name);
    const seen = [];
    for (const level of LEVELS)
      for (const ratio of RATIOS)
        for (const kind of KINDS)
          for (let number = 0; number < items; number++)
            seen.push(...(await looks({ level, ratio, kind, number, folder, readers })));
    const makers = [...new Set(seen.map(({ maker }) => maker))];
    const rows = [];
    for (const maker of makers) {
      for (const level of LEVELS)
        for (const ratio of RATIOS)
          rows.push(row(`${maker}, ${level}, ratio ${ratio}`, names, seen, { maker, level, ratio }));
      for (const kind of KINDS) rows.push(row(`${maker}, ${kind}`, names, seen, { maker, kind }));
      for (const distortion of Object.keys(DISTORTIONS))
        rows.push(row(`${maker}, ${distortion}`, names, seen, { maker, distortion }));
      rows.push(row(`${maker}, all`, names, seen, { maker }));
    }
    report('scan', rows, { json });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Programs that read each picture of a logo, level and ratio, clean and distorted. */
async function looks({ level, ratio, kind, number, folder, readers }) {
  const made = await pictures({ folder, kind, number, level, ratio });
  const seen = [];
  // Something happens to a code in the same way whoever made it.
  for (const [maker, codes] of Object.entries(made))
    for (const [distortion, distort] of Object.entries(CLEAN_ALONE.includes(maker) ? CLEAN : DISTORTIONS))
      for (const { version, text, png } of codes)
        seen.push({
          maker,
          level,
          ratio,
          kind,
          distortion,
          text,
          state: distortion === 'clean' ? 'clean' : 'distorted',
          png: await distort(png, 100 * version + number),
        });
  const readBy = async ({ name, read }) => {
    const texts = await read(seen.map(({ png }) => png));
    for (const [index, look] of seen.entries()) (look.read ??= {})[name] = texts[index] === look.text;
  };
  await Promise.all(readers.map(readBy));
  // A picture that was looked at is of no more use.
  return seen.map((look) => ({ ...look, png: undefined }));
}

/** Codes that were looked at and the share that was read, in per cent; for the engine's how much that differs from the hand-made ones. */
function row(name, names, seen, wanted) {
  const chosen = (members) =>
    seen.filter((look) => Object.entries(members).every(([member, value]) => look[member] === value));
  const columns = ['clean', 'distorted'].flatMap((state) => {
    const own = chosen({ ...wanted, state });
    if (own.length === 0) return [];
    const shares = names.map((reader) => [
      `${reader} ${state} %`,
      percent(own.filter(({ read }) => read[reader]).length, own.length),
    ]);
    const byHand = wanted.maker === 'qrpress' ? chosen({ ...wanted, state, maker: 'by hand' }) : undefined;
    const differences = byHand ? names.flatMap((reader) => compared(`${reader} ${state}`, reader, own, byHand)) : [];
    return [[`${state} codes`, own.length], ...shares, ...differences];
  });
  return { name, ...Object.fromEntries(columns) };
}

/**
 * Gain of the engine's codes over hand-made ones, in points, and its noise: two standard deviations of the gain by chance, if as many
 * codes are read from one of both alone. Both lists are in the same order of symbol, logo and distortion.
 */
function compared(name, reader, own, byHand) {
  const gained = own.filter(({ read }, index) => read[reader] && !byHand[index].read[reader]).length;
  const lost = own.filter(({ read }, index) => !read[reader] && byHand[index].read[reader]).length;
  return [
    [`${name} gain`, percent(gained - lost, own.length)],
    [`${name} noise`, percent(2 * Math.sqrt(gained + lost), own.length)],
  ];
}

function percent(part, whole) {
  return Math.round((1000 * part) / whole) / 10;
}
