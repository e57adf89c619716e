/** Independent readers of codes: zxing always, zbar and OpenCV where they are installed. */

import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

/** `{ name, read }` each; `read` takes PNG files and gives the text on each, or undefined. */
export function decoders(folder) {
  const found = [zxing()];
  if (spawnSync('zbarimg', ['--version']).status === 0) found.push(inFiles('zbar', folder, zbar));
  else console.log('zbar is left out: there is no zbarimg (Debian: zbar-tools)');
  if (spawnSync('python3', ['-c', 'import cv2']).status === 0) found.push(inFiles('OpenCV', folder, openCv));
  else console.log('OpenCV is left out: python3 has no cv2 (PyPI: opencv-python-headless)');
  return found;
}

function zxing() {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } });
  return {
    name: 'zxing',
    read: async (pictures) => {
      const texts = [];
      for (const png of pictures) {
        const [code] = await readBarcodes(new Uint8Array(png), { formats: ['QRCode'] });
        texts.push(code?.text);
      }
      return texts;
    },
  };
}

/** A reader that is a program over files. */
function inFiles(name, folder, run) {
  const place = join(folder, name);
  return {
    name,
    read: async (pictures) => {
      mkdirSync(place);
      const paths = pictures.map((png, index) => {
        const path = join(place, `${index}.png`);
        writeFileSync(path, png);
        return path;
      });
      const texts = await run(paths);
      rmSync(place, { recursive: true });
      return paths.map((path) => texts.get(path));
    },
  };
}

/** Standard output of a program. zbar ends with 4 when a picture shows no code. */
async function output(program, words) {
  const run = promisify(execFile)(program, words, { maxBuffer: 1 << 28 });
  const { stdout } = await run.catch((error) => {
    if (program === 'zbarimg' && error.code === 4) return error;
    throw error;
  });
  return stdout;
}

async function zbar(paths) {
  const words = ['--quiet', '--nodbus', '--xml', '-Sdisable', '-Sqrcode.enable'];
  const stdout = await output('zbarimg', [...words, ...paths]);
  const sources = stdout.matchAll(/<source href='([^']+)'>([\s\S]*?)<\/source>/g);
  return new Map([...sources].map(([, path, symbols]) => [path, /<!\[CDATA\[([\s\S]*?)\]\]>/.exec(symbols)?.[1]]));
}

const OPENCV = `
import cv2, json, sys
reader = cv2.QRCodeDetector()
def text(path):
    try:
        return reader.detectAndDecode(cv2.imread(path))[0]
    except (cv2.error, UnicodeDecodeError):
        return None
print(json.dumps([text(path) for path in sys.argv[1:]]))
`;

async function openCv(paths) {
  const texts = JSON.parse(await output('python3', ['-c', OPENCV, ...paths]));
  return new Map(paths.map((path, index) => [path, texts[index]]));
}
