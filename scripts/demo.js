/** The demo: posts real data to a running service, downloads the ZIP file and checks it. */

import { mkdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

import './setup.js';
import { startService } from './service-process.js';

const INPUT = fileURLToPath(new URL('../examples/cities.ndjson', import.meta.url));
const OUTPUT_FOLDER = fileURLToPath(new URL('../demo-output/', import.meta.url));
const ARCHIVE = `${OUTPUT_FOLDER}cities.zip`;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

// Imported after the set-up, which installs and builds them.
const { submit } = await import('../dist/cli/submit.js');
const { openPromise } = await import('yauzl');

const expected = readFileSync(INPUT, 'utf8').trimEnd().split('\n').length - 1;
mkdirSync(OUTPUT_FOLDER, { recursive: true });

console.log('Starting the service on embedded defaults, in a temporary folder …');
const service = await startService({ credits: expected });
try {
  console.log(`Posting ${expected} cities to ${service.url} …`);
  const started = performance.now();
  const report = await submit(INPUT, { url: service.url, key: service.key, out: ARCHIVE });
  const seconds = (performance.now() - started) / 1000;
  const { images, bytes } = await check(ARCHIVE);
  if (images !== expected) throw new Error(`the archive holds ${images} images instead of ${expected}`);
  console.log(
    [
      `${images} images of ${Math.round(bytes / images)} bytes on average, every one checked`,
      `${report.creditsCharged} credits charged, ${report.failed} items failed`,
      `${seconds.toFixed(2)} s from the POST to the last byte of the archive, waiting between polls included`,
      `The archive is ${ARCHIVE}`,
    ].join('\n'),
  );
} finally {
  await service.stop();
}

/** Reads every entry with an independent unzipper. */
async function check(path) {
  const zip = await openPromise(path, { autoClose: false });
  let images = 0;
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    const pieces = [];
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece);
    const image = Buffer.concat(pieces);
    if (!image.subarray(0, 8).equals(PNG_SIGNATURE)) throw new Error(`${entry.fileName} is not a PNG`);
    const [width, height] = [image.readUInt32BE(16), image.readUInt32BE(20)];
    if (height <= width) throw new Error(`${entry.fileName} has no caption`);
    images += 1;
    bytes += image.length;
  }
  zip.close();
  return { images, bytes };
}
