/**
 * Makes the pictures of README, docs and the overview page anew: screenshots of a running service, and codes. Needs
 * Chromium and pdftoppm.
 */

import './setup.js';
import './style-pictures.js';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { startService } from './service-process.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'docs', 'pictures');
const MAIN = join(ROOT, 'dist', 'main.js');
const EMAIL = 'ada@example.org';

/** Styles of the sheet of codes, each with its item. */
const CODES = [
  [{}, { data: 'https://example.org/table/12' }],
  [{ foreground: '#1b3a5c', background: '#f4efe6' }, { data: 'https://example.org/table/13' }],
  [{ ecLevel: 'Q', logo: true }, { data: 'https://example.org/table/14' }],
  [{}, { data: 'https://example.org/hall/1', caption: 'Hall 1, row C' }],
  [{ foreground: '#6b1f3a' }, { data: 'https://example.org/hall/2', caption: 'القاعة الثانية' }],
  [
    { ecLevel: 'H', logo: true },
    { data: 'https://example.org/hall/3', caption: '東ホール 3' },
  ],
];

const { logo } = JSON.parse(readFileSync(join(ROOT, 'examples', 'posters.json'), 'utf8')).style;

mkdirSync(FOLDER, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), 'qrpress-pictures-'));
const service = await startService({ credits: 1, environment: { QRPRESS_RATE_LIMIT_READ: '1000000' } });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  drawSample();
  await takeCodes();
  await takeLogos();
  await takeCaptions();
  takeLabels();
  await takePages();
} finally {
  await browser.close();
  await service.stop();
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`${readdirSync(FOLDER).length} pictures in docs/pictures`);

/** The picture that the overview of a new organisation shows: the first row of `sample.csv`. */
function drawSample() {
  const assets = join(ROOT, 'web', 'assets');
  const [, row] = readFileSync(join(assets, 'sample.csv'), 'utf8').split('\n');
  const [data, , caption] = row.split(',');
  writeFileSync(join(assets, 'sample.svg'), drawn({ caption: { fontSize: 24 } }, { data, caption }));
}

/** A sheet of codes, each drawn by `render`. */
async function takeCodes() {
  const pictures = CODES.map(([style, item]) => drawn({ ...style, ...(style.logo && { logo }) }, item));
  await takeSheet('codes', 3, pictures);
}

/** The same logo three times: pasted onto a code, pasted with a plate below it, and drawn by the engine. */
async function takeLogos() {
  const item = { data: 'https://example.org/table/14' };
  const style = { ecLevel: 'H', scale: 6 };
  const plain = drawn(style, item);
  const side = Number(/width="(\d+)"/.exec(plain)[1]);
  // The quiet zone is four modules on each side.
  const edge = (side - 8 * style.scale) * logo.sizeRatio;
  const place = `x="${(side - edge) / 2}" y="${(side - edge) / 2}" width="${edge}" height="${edge}"`;
  const pasted = (plate) => plain.replace('</svg>', `${plate}<image ${place} href="${logo.dataUrl}"/></svg>`);
  await takeSheet('logos', 3, [
    titled('Pasted: modules are cut', pasted('')),
    titled('On a plate of its size: modules are cut', pasted(`<rect ${place} fill="#fff"/>`)),
    titled('qrpress: a module is whole, or not there', drawn({ ...style, logo }, item)),
  ]);
}

/** The same captions twice: set by a browser below a picture, and drawn by the engine. */
async function takeCaptions() {
  const captions = ['Hall 1, Gjg', 'القاعة الثانية', 'ห้องโถงที่หนึ่งปี่พี่น้ำ', 'हॉल दूसरा'];
  const style = { scale: 6, caption: { fontSize: 26 } };
  const item = { data: 'https://example.org/' };
  const framed = (content) => `<div style="outline:1px dashed #c33;display:inline-block">${content}</div>`;
  const browsers = captions.map((caption) => {
    const text = `<div class="browser" style="font-size:${26 * 0.6}px">${caption}</div>`;
    return titled('Set by a browser', framed(drawn({ scale: style.scale }, item) + text));
  });
  const own = captions.map((caption) => titled('qrpress', framed(drawn(style, { ...item, caption }))));
  const fonts = readdirSync(join(ROOT, 'fonts'))
    .filter((file) => /^NotoSans(Arabic|Thai|Devanagari)?\.ttf$/.test(file))
    .map((file) => {
      const url = `data:font/ttf;base64,${readFileSync(join(ROOT, 'fonts', file)).toString('base64')}`;
      return `@font-face{font-family:'${file}';src:url(${url})}`;
    });
  const families = fonts.map((face) => /'[^']+'/.exec(face)[0]);
  const faces = `<style>${fonts.join('')}.browser{font-family:${families.join(',')}}</style>`;
  await takeSheet('captions', captions.length, [faces + browsers[0], ...browsers.slice(1), ...own]);
}

/** The first page of label sheets, which the front page shows. */
function takeLabels() {
  const rows = Array.from({ length: 21 }, (_, row) => `https://example.org/table/${row + 1},Table ${row + 1}`);
  const [list, pdf] = [join(scratch, 'labels.csv'), join(scratch, 'labels.pdf')];
  writeFileSync(list, ['url,caption', ...rows].join('\n'));
  execFileSync(process.execPath, [MAIN, 'render', list, '--labels', 'avery-l7160', '--cut-marks', '--out', pdf]);
  execFileSync('pdftoppm', ['-r', '60', '-mono', '-png', '-singlefile', pdf, join(FOLDER, 'sheet')]);
}

function titled(title, picture) {
  return `<p>${title}</p>${picture}`;
}

/** An item as an SVG file, by `render`. */
function drawn(style, item) {
  const folder = mkdtempSync(join(scratch, 'code-'));
  const body = join(folder, 'body.json');
  writeFileSync(body, JSON.stringify({ format: 'svg', style: { scale: 6, ...style }, items: [item] }));
  execFileSync(process.execPath, [MAIN, 'render', body, '--out', `${folder}/`]);
  const name = readdirSync(folder).find((file) => file.endsWith('.svg'));
  return readFileSync(join(folder, name), 'utf8');
}

async function takeSheet(name, columns, pictures) {
  const page = await browser.newPage({ viewport: { width: 960, height: 700 }, deviceScaleFactor: 1.5 });
  const cells = pictures.map((picture) => `<div>${picture}</div>`).join('');
  await page.setContent(
    `<style>body{margin:0;background:#fff;font:13px sans-serif;text-align:center}svg{display:block;margin:auto}main{display:grid;grid-template-columns:repeat(${columns},1fr);gap:24px;padding:24px;place-items:center}</style><main>${cells}</main>`,
  );
  await page.locator('main').screenshot({ path: join(FOLDER, `${name}.png`) });
  await page.close();
}

/** Screenshots of the studio, of the page of a complete job, and of its labels. */
async function takePages() {
  const page = await browser.newPage({ viewport: { width: 1200, height: 860 }, locale: 'en-GB' });
  const take = (name) => page.screenshot({ path: join(FOLDER, `${name}.png`) });
  await page.goto(`${service.url}/account/sign-in`);
  // No page has the form of a sign-up where there is no mail server.
  await page.evaluate(`fetch('/account/sign-up', {
    method: 'POST',
    body: new URLSearchParams({ csrf: document.querySelector('[name=csrf]').value, email: '${EMAIL}' }),
  })`);
  await page.goto(service.url.replace(/\/$/, '') + (await mailedPath()));
  await page.getByLabel('Organisation').fill('Analytical Engines');
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('Password').fill('weaving algebraic patterns');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('link', { name: 'Studio', exact: true }).first().click();
  await page.locator('input[type=file][name=file]').setInputFiles(join(ROOT, 'web', 'assets', 'sample.csv'));
  await page.locator('.preview img').waitFor();
  await page.waitForLoadState('networkidle');
  await take('studio');
  await takeSmallStudio(page);
  await page.getByRole('button', { name: 'Make codes' }).click();
  await page.getByRole('link', { name: 'Download ZIP' }).waitFor();
  await page.waitForLoadState('networkidle');
  await take('job');
  await page.getByRole('link', { name: 'Print labels' }).click();
  await page.waitForLoadState('networkidle');
  await take('labels');
  await page.close();
}

/** The studio for the front page, which must stay light. */
async function takeSmallStudio(page) {
  // Without the list that the page before has not made.
  const { cookies } = await page.context().storageState();
  const context = await browser.newContext({
    storageState: { cookies, origins: [] },
    locale: 'en-GB',
    viewport: { width: 1200, height: 860 },
    deviceScaleFactor: 0.4,
  });
  const small = await context.newPage();
  await small.goto(page.url());
  await small.locator('input[type=file][name=file]').setInputFiles(join(ROOT, 'web', 'assets', 'sample.csv'));
  await small.locator('.preview img').waitFor();
  await small.waitForLoadState('networkidle');
  await small.screenshot({ path: join(FOLDER, 'studio-small.png') });
  await context.close();
}

/** The path of the link in the first mail. Waits until the mail is in the outbox. */
async function mailedPath() {
  const outbox = join(service.dataDir, 'outbox');
  for (;;) {
    for (const name of readdirSync(outbox, { recursive: true })) {
      const text = readFileSync(join(outbox, name), 'utf8')
        .replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '=');
      const path = /\/account\/sign-up\/[\w-]+/.exec(text)?.[0];
      if (path !== undefined) return path;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
