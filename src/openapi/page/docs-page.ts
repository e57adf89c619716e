/** A page below `/docs`: a template with the style in it, under a policy that lets nothing else in. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';

// From the package's root, so that sources and compiled files find the same template.
const WEB = fileURLToPath(new URL('../../../web', import.meta.url));

export interface DocsPage {
  html: string;
  /** Allows the page's own style, and nothing else. */
  contentSecurityPolicy: string;
}

/** @param template below `web/reference` */
export function docsPage(template: string, data: object): DocsPage {
  const style = ['palette.css', 'reference/reference.css']
    .map((name) => readFileSync(`${WEB}/${name}`, 'utf8'))
    .join('');
  const html = new Eta({ views: `${WEB}/reference`, autoTrim: [false, 'nl'] }).render(template, { style, ...data });
  const hash = createHash('sha256').update(style).digest('base64');
  return {
    html,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}
