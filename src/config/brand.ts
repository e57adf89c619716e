/** The name, logo, colours and front page of whoever runs the service, on the pages, below `/docs` and in mails. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.js';

export interface Brand {
  name: string;
  /** File name of the logo among the assets. Undefined: the mark of qrpress. */
  logo: string | undefined;
  /** HTML of the front page's text. Written by the operator, so it is shown as it is. */
  text: string | undefined;
  /** Files that are served beside the assets, by name; `colours.css` is added to the style. */
  files: ReadonlyMap<string, Buffer>;
}

const LOGOS = ['logo.svg', 'logo.png'];
const COLOURS = 'colours.css';
const TEXT = 'front.html';

/** Read once, at the start. */
export function readBrand({ brand: { name, folder } }: Pick<Config, 'brand'>): Brand {
  const present = [...LOGOS, COLOURS, TEXT].filter((file) => folder !== undefined && existsSync(join(folder, file)));
  const files = new Map(present.map((file) => [file, readBrandFile(join(folder as string, file))]));
  return {
    name,
    logo: LOGOS.find((file) => files.has(file)),
    text: files.get(TEXT)?.toString(),
    files,
  };
}

function readBrandFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(`QRPRESS_BRAND_DIR: cannot read ${path}`, { cause: error });
  }
}

/** The operator as a sender of mails. Mail programs show no SVG, and know no style sheets. */
export function senderOf({ name, logo, files }: Brand, baseUrl: string) {
  const colours = files.get(COLOURS)?.toString() ?? '';
  const colour = (property: string) => new RegExp(`--${property}:\\s*(#[0-9a-f]{3,8})\\b`, 'i').exec(colours)?.[1];
  return {
    name,
    url: baseUrl,
    accent: colour('accent'),
    accentInk: colour('accent-ink'),
    logoUrl: logo === 'logo.png' ? `${baseUrl}/account/assets/latest/${logo}` : undefined,
  };
}
