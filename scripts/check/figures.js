/** Checks the limits that pages and configurations of proxies repeat by hand, against the tables of limits and of limited work. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './output.js';

const number = (value) => value.toLocaleString('en');
const megabytes = (bytes) => `${bytes / 1_000_000} MB`;
const kibibytes = (bytes) => `${bytes / 1024} KB`;

/** Parts of sentences that these files must contain, with the figures of the table. */
function told(limits) {
  const { restoredPercent: restored, signedUrlDays: days, ndjsonBodyBytes: ndjson, jsonBodyBytes: json } = limits;
  const million = limits.ndjsonItems === 1_000_000 ? 'a million' : number(limits.ndjsonItems);

  return {
    'README.md': [`work for ${days} days`],
    'ARCHITECTURE.md': [`up to ${million} items`, `${days} days after creation`],
    'docs/operate/configuration.md': [`| \`QRPRESS_RETENTION_DAYS\` | ${days} |`],
    'docs/operate/install.md': [`over ${number(ndjson)} bytes (${number(json)} for JSON)`],
    'docs/guides/csv-and-xlsx.md': [
      `At most ${million} codes, ${megabytes(ndjson)} of file and ${megabytes(ndjson)} of items.`,
    ],
    'docs/guides/keys.md': [`ends after ${days} days`],
    'docs/guides/logos.md': [
      ...Object.entries(restored).map(([level, percent]) => `| \`${level}\` | ${percent} % |`),
      `up to a size ratio of ${limits.logoSizeRatio.maximum}`,
      `at most ${kibibytes(limits.logoDataUrlCharacters)} as a data URL`,
    ],
    'docs/guides/style.md': [
      `${restored.L} % with \`L\`, ${restored.M} % with \`M\`, ${restored.Q} % with \`Q\` and ${restored.H} % with \`H\``,
    ],
    'docs/guides/labels.md': [
      `narrower than ${limits.labelModuleMm.minimum} mm`,
      `Below ${limits.labelModuleMm.advised} mm`,
    ],
    'docs/guides/print-sizes.md': [`at most ${number(limits.sidePx)}`],
    'deploy/proxy/nginx.conf': [`up to ${number(ndjson)} bytes`],
    'deploy/proxy/Caddyfile': [`up to ${number(ndjson)} bytes`],
  };
}

/** Ends of the rows of docs/internals/admission.md, by kind of work: places, places of one caller, memory. */
function rows(scarce) {
  return Object.entries(scarce).map(([kind, { places, placesOfOne = 'half of what is free', memoryBytes }]) => ({
    start: `| \`${kind}\``,
    end: `| ${number(places)} | ${placesOfOne} | ${megabytes(memoryBytes)} |`,
  }));
}

function missingRows(scarce) {
  const lines = readFileSync(join(ROOT, 'docs/internals/admission.md'), 'utf8').split('\n');
  return rows(scarce)
    .filter(({ start, end }) => !lines.some((line) => line.startsWith(start) && line.endsWith(end)))
    .map(({ start, end }) => `docs/internals/admission.md: the table of limited work asks for "${start} … ${end}"`);
}

/** Missing sentences and rows, one per line. */
export async function figures() {
  // Loaded here because set-up has compiled them by now.
  const { LIMITS: limits } = await import('../../dist/contract/limits.js');
  const { SCARCE: scarce } = await import('../../dist/admission/table.js');
  const missing = Object.entries(told(limits)).flatMap(([file, sentences]) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return sentences
      .filter((sentence) => !text.includes(sentence))
      .map((sentence) => `${file}: the table of limits asks for "${sentence}"`);
  });
  return [...missing, ...missingRows(scarce)].join('\n');
}
