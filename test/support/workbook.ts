/** Workbooks that no program of the corpus writes. */

import { buffer } from 'node:stream/consumers';
import { ZipArchive } from 'archiver';

/** A workbook of these rows, as XML, or of sheets by their names. @param styles the part of the formats */
export async function workbookOf(rows: string | Record<string, string>, styles = '<styleSheet/>'): Promise<Buffer> {
  const sheets = Object.entries(typeof rows === 'string' ? { S: rows } : rows);
  const zip = new ZipArchive({ zlib: { level: 1 } });
  for (const [path, content] of Object.entries({
    '_rels/.rels': relations(['main', 'officeDocument', 'workbook.xml']),
    'workbook.xml': `<workbook><sheets>${sheets.map(([name], at) => `<sheet name="${name}" id="sheet${at}"/>`).join('')}</sheets></workbook>`,
    '_rels/workbook.xml.rels': relations(
      ...sheets.map((_, at): Relation => [`sheet${at}`, 'worksheet', `sheet${at}.xml`]),
      ['styles', 'styles', 'styles.xml'],
    ),
    'styles.xml': styles,
    ...Object.fromEntries(
      sheets.map(([, data], at) => [`sheet${at}.xml`, `<worksheet><sheetData>${data}</sheetData></worksheet>`]),
    ),
  })) {
    zip.append(content, { name: path });
  }
  await zip.finalize();
  return buffer(zip);
}

/** A cell of a text. */
export const textCell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;

type Relation = [id: string, kind: string, target: string];

/** Relations of a workbook's part. */
function relations(...list: Relation[]): string {
  const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const all = list.map(([id, kind, target]) => `<Relationship Id="${id}" Type="${types}/${kind}" Target="${target}"/>`);
  return `<Relationships>${all.join('')}</Relationships>`;
}
