/** Checks the limits that pages and configurations of proxies repeat by hand, against the tables of limits and of limited work. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './output.js';

const number = (value) => value.toLocaleString('en');
const megabytes = (bytes) => `${bytes / 1_000_000} MB`;
const between = ({ minimum, maximum }) => `${number(minimum)} to ${number(maximum)}`;

/** Parts of sentences that these files must contain, with the figures of the table. */
function told(limits) {
  const { restoredPercent: restored, signedUrlDays: days, ndjsonBodyBytes: ndjson } = limits;
  const million = limits.ndjsonItems === 1_000_000 ? 'a million' : number(limits.ndjsonItems);
  const { logoDataUrlCharacters: logo } = limits;

  return {
    'README.md': [`a new account has ${limits.welcomeCredits} credits`],
    'docs/operate/checklist.md': [`every new account has ${limits.welcomeCredits} credits`],
    'ARCHITECTURE.md': [`up to ${million} items`, `${days} days after creation`],
    'docs/operate/configuration.md': [`| \`QRPRESS_RETENTION_DAYS\` | ${days} |`],
    'docs/guides/csv-and-xlsx.md': [
      `at most ${million} codes, ${megabytes(ndjson)}, and ${megabytes(ndjson)} of items.`,
    ],
    'docs/guides/logos.md': [
      `up to a size ratio of ${limits.logoSizeRatio.maximum}`,
      `at most ${number(logo)} characters, which is a file of at most ${number(fileOf(logo))} bytes`,
      `| ${number(limits.sampleItems)} items, spread over the job |`,
    ],
    'docs/guides/style.md': [
      `${restored.L} % with \`L\`, ${restored.M} % with \`M\`, ${restored.Q} % with \`Q\` and ${restored.H} % with \`H\``,
      `a module in pixels, ${between(limits.scale)}. The default is ${limits.scale.default}.`,
      `in modules, ${between(limits.margin)}. The default is ${limits.margin.default}`,
      `inch in print, ${between(limits.dpi)}.`,
      `code's edge, ${between(limits.logoSizeRatio)}.`,
      `scale ${limits.scale.default}, ${between(limits.captionFontSize)}. The default is ${limits.captionFontSize.default}.`,
    ],
    'docs/guides/labels.md': [
      `narrower than ${limits.labelModuleMm.minimum} mm`,
      `Below ${limits.labelModuleMm.advised} mm`,
    ],
    'docs/guides/print-sizes.md': [`at most ${number(limits.sidePx)}`],
    'docs/guides/large-jobs.md': [
      `up to ${number(limits.jsonItems)} items`,
      `up to ${number(limits.ndjsonItems)}, send NDJSON`,
    ],
    'docs/guides/idempotency.md': [
      `1 to ${limits.idempotencyKeyCharacters} visible ASCII`,
      `kept for ${limits.idempotencyHours} hours`,
    ],
    'docs/guides/errors-and-limits.md': [
      `lists the first ${limits.issues} problems`,
      `narrower than ${limits.labelModuleMm.minimum} mm`,
    ],
    'docs/guides/data-and-privacy.md': [
      `| ${limits.idempotencyHours} hours |`,
      `at most ${number(limits.webhookDeliveries.settled)} per webhook`,
    ],
    'deploy/proxy/nginx.conf': [`up to ${number(ndjson)} bytes`],
    'deploy/proxy/Caddyfile': [`up to ${number(ndjson)} bytes`],
  };
}

/** Bytes of the largest PNG file whose data URL has this many characters: base64 makes four of three bytes. */
function fileOf(characters) {
  return Math.floor((characters - 'data:image/png;base64,'.length) / 4) * 3;
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
    // Lines are wrapped anywhere.
    const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/\s+/g, ' ');
    return sentences
      .filter((sentence) => !text.includes(sentence))
      .map((sentence) => `${file}: the table of limits asks for "${sentence}"`);
  });
  return [...missing, ...missingRows(scarce)].join('\n');
}
