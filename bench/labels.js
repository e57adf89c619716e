/** Sheets of labels on one core, against ReportLab with Python's qrcode and pdfkit with npm `qrcode`. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import QRCode from 'qrcode';
import { toolFolder } from '../scripts/install/python-tool.js';
import { report } from './report.js';
import { url60, writeBody } from './workload.js';

/** Labels of a peer: some seconds of work. Its speed does not depend on their number. */
const PEER_ITEMS = { python: 200, node: 500 };

const PEERS = toolFolder('label-peers');
const INSTALLER = 'node scripts/install/label-peers.js';

/** Avery L7160, in millimetres. */
const SHEET = { columns: 3, rows: 7, left: 7.25, top: 15.15, width: 63.5, height: 38.1, gap: 2.5 };
const POINTS_PER_MM = 72 / 25.4;
const QUIET_ZONE = 4;

const REPORTLAB = 'ReportLab + qrcode';
const PDFKIT = 'pdfkit + npm qrcode';

export async function labels({ items = 100_000, json }) {
  const folder = mkdtempSync(join(tmpdir(), 'qrpress-bench-'));
  try {
    const python = withReportLab(folder);
    const node = await withPdfkit();
    const own = await withEngine(folder, items);
    const peers = [
      [REPORTLAB, python],
      [PDFKIT, node],
    ].filter(([, peer]) => peer !== undefined);
    const ratioTo = Object.fromEntries(peers.map(([name, peer]) => [name, own.itemsPerSecond / peer.itemsPerSecond]));
    const results = [...peers.map(([name, peer]) => ({ name, ...peer })), { name: 'qrpress', ...own, ratioTo }];
    report('labels', results, { json });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The engine's tasks of a file, one after the other in this process. */
async function withEngine(folder, items) {
  const { native } = await import('../dist/engine/addon.js');
  const { checkBody } = await import('../dist/engine/check-body.js');
  native.openFonts([fileURLToPath(new URL('../fonts', import.meta.url))]);
  const [bodyPath, spoolPath] = [join(folder, 'body'), join(folder, 'spool')];
  writeBody(bodyPath, items, {});
  const { chunks } = checkBody({ bodyPath, spoolPath, form: 'ndjson', chunkItems: 1_000 });
  const um = (mm) => Math.round(mm * 1_000);
  const layout = {
    sheet: {
      pageWidthUm: um(210),
      pageHeightUm: um(297),
      labelWidthUm: um(SHEET.width),
      labelHeightUm: um(SHEET.height),
      columns: SHEET.columns,
      rows: SHEET.rows,
      leftUm: um(SHEET.left),
      topUm: um(SHEET.top),
      gapXUm: um(SHEET.gap),
      gapYUm: 0,
    },
    used: 0,
    items: [{ firstItem: 0, endItem: items }],
    caption: 'auto',
    cutMarks: false,
    shiftXUm: 0,
    shiftYUm: 0,
  };
  const held = ([{ firstItem, endItem }]) =>
    chunks
      .filter((chunk) => chunk.firstItem < endItem && firstItem < chunk.firstItem + chunk.itemCount)
      .map((range) => ({ range, spoolPath }));
  const cpu = process.cpuUsage();
  let bytes = 0;
  for (const part of native.planLabels(layout)) {
    native.measureLabels({ layout: { ...layout, items: part }, chunks: held(part) });
  }
  for (const [part, range] of native.planLabels(layout).entries()) {
    const [partPath, entriesPath] = [join(folder, 'part'), join(folder, 'entries')];
    bytes += native.drawLabels({ layout, chunks: held(range), part, offset: bytes, partPath, entriesPath });
  }
  return figures(items, cpuSecondsSince(cpu), bytes);
}

/** Modules as filled rectangles, a run of a row each, as careful users of these libraries draw them. */
async function withPdfkit() {
  const PDFDocument = pdfkit();
  if (PDFDocument === undefined) {
    console.error(`pdfkit is left out: ${INSTALLER} installs it`);
    return undefined;
  }
  const cpu = process.cpuUsage();
  const document = new PDFDocument({ size: 'A4', autoFirstPage: false });
  let bytes = 0;
  document.on('data', (piece) => {
    bytes += piece.length;
  });
  const perPage = SHEET.columns * SHEET.rows;
  for (let index = 0; index < PEER_ITEMS.node; index++) {
    if (index % perPage === 0) document.addPage({ size: 'A4', margin: 0 });
    const { modules } = QRCode.create(url60(index), { errorCorrectionLevel: 'M' });
    const label = index % perPage;
    const module = (SHEET.height * POINTS_PER_MM) / (modules.size + 2 * QUIET_ZONE);
    const x = (SHEET.left + (label % SHEET.columns) * (SHEET.width + SHEET.gap) + SHEET.width / 2) * POINTS_PER_MM;
    const y = (SHEET.top + Math.floor(label / SHEET.columns) * SHEET.height) * POINTS_PER_MM + QUIET_ZONE * module;
    for (let row = 0; row < modules.size; row++) {
      for (let column = 0; column < modules.size; column++) {
        const start = column;
        while (column < modules.size && modules.get(row, column)) column++;
        if (column > start) {
          document.rect(x + (start - modules.size / 2) * module, y + row * module, (column - start) * module, module);
        }
      }
    }
    document.fill('black');
  }
  const ended = new Promise((resolve) => document.once('end', resolve));
  document.end();
  await ended;
  return figures(PEER_ITEMS.node, cpuSecondsSince(cpu), bytes);
}

function pdfkit() {
  try {
    return createRequire(join(PEERS, 'package.json'))('pdfkit');
  } catch {
    return undefined;
  }
}

function withReportLab(folder) {
  const python = join(PEERS, 'python');
  if (!existsSync(python)) {
    console.error(`ReportLab is left out: ${INSTALLER} installs it`);
    return undefined;
  }
  const [dataPath, path] = [join(folder, 'urls'), join(folder, 'peer.pdf')];
  writeFileSync(dataPath, Array.from({ length: PEER_ITEMS.python }, (_, index) => url60(index)).join('\n'));
  const script = fileURLToPath(new URL('./labels/reportlab_labels.py', import.meta.url));
  const seconds = Number(execFileSync(python, [script, dataPath, path], { encoding: 'utf8' }));
  return figures(PEER_ITEMS.python, seconds, statSync(path).size);
}

function cpuSecondsSince(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function figures(items, cpuSeconds, bytes) {
  return {
    itemsPerSecond: Math.round(items / cpuSeconds),
    bytesPerItem: Math.round(bytes / items),
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
  };
}
