/** The stylesheet and scripts of the pages. Read once; browsers cache them until they change. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { RouterMiddleware } from '@koa/router';
import { AccountError } from '../../accounts/account-error.js';
import type { Brand } from '../../config/brand.js';

const WEB = new URL('../../../web/', import.meta.url);
const FOLDER = new URL('assets/', WEB);

/** Joined in this order: of equally specific rules the later one wins. */
const STYLE = [
  'palette',
  'style/headings',
  'style/base',
  'style/frame',
  'style/notes',
  'style/forms',
  'style/tables',
  'style/states',
]
  .concat(
    'style/copied',
    'style/chart',
    'style/preview',
    'style/studio',
    'style/labels',
    'style/first',
    'style/front',
    'style/jobs',
  )
  .concat('style/dialog', 'style/forced-colours', 'style/print')
  .map((name) => new URL(`${name}.css`, WEB));

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

export class Assets {
  readonly #files = new Map<string, { type: string; content: Buffer }>();
  /** Changes whenever a file changes. Part of every asset's URL. */
  readonly version: string;

  constructor({ files }: Pick<Brand, 'files'>) {
    const hash = createHash('sha256');
    // Last, so that it wins.
    const colours = Array.from(files).flatMap(([name, content]) => (name === 'colours.css' ? [content] : []));
    const style = ['site.css', Buffer.concat([...STYLE.map(readStyle), ...colours])] as const;
    const others = readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER))] as const);
    for (const [name, content] of [style, ...others, ...files]) {
      const type = TYPES[name.split('.').at(-1) ?? ''];
      if (type !== undefined) {
        hash.update(`${name}\0`).update(content);
        this.#files.set(name, { type, content });
      }
    }
    this.version = hash.digest('base64url').slice(0, 12);
  }

  readonly send: RouterMiddleware = (ctx) => {
    const file = this.#files.get(ctx.params['name'] ?? '');
    if (file === undefined) {
      throw new AccountError('not_found', 'There is no such file.');
    }
    ctx.type = file.type;
    ctx.set(
      'Cache-Control',
      ctx.params['version'] === this.version ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
    ctx.body = file.content;
  };
}

/** A file of the style without its comments and indents: a fifth of it, which every first visit would load. */
function readStyle(path: URL): Buffer {
  return Buffer.from(
    readFileSync(path, 'utf8')
      .replaceAll(/\/\*.*?\*\/\s*/gs, '')
      .replaceAll(/\n\s+/g, '\n'),
  );
}
