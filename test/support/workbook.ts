/** Workbooks of one sheet that no program of the corpus writes. */

import { buffer } from 'node:stream/consumers';
import { ZipArchive } from 'archiver';

/** A workbook of these rows, as XML. @param styles the part of the formats */
export async function workbookOf(rows: string, styles = '<styleSheet/>'): Promise<Buffer> {
  const zip = new ZipArchive({ zlib: { level: 1 } });
  for (const [name, content] of Object.entries({
    '_rels/.rels': relations(['officeDocument', 'workbook.xml']),
    'workbook.xml': '<workbook><sheets><sheet name="S" id="worksheet"/></sheets></workbook>',
    '_rels/workbook.xml.rels': relations(['worksheet', 'sheet.xml'], ['styles', 'styles.xml']),
    'styles.xml': styles,
    'sheet.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  })) {
    zip.append(content, { name });
  }
  await zip.finalize();
  return buffer(zip);
}

/** A cell of a text. */
export const textCell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;

/** Relations of a workbook's part. */
function relations(...list: [kind: string, target: string][]): string {
  const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const all = list.map(([kind, target]) => `<Relationship Id="${kind}" Type="${types}/${kind}" Target="${target}"/>`);
  return `<Relationships>${all.join('')}</Relationships>`;
}
