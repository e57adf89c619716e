/** The frame of every page below `/docs`: header, contents, search. */

import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import { BUGS, VERSION } from '../../../platform/version.js';

// Relative to the package's root, so that sources and compiled files find the same templates.
const TEMPLATES = fileURLToPath(new URL('../../../../web/reference', import.meta.url));

/** A page listed in the contents. */
interface PageLink {
  /** Path on this service. */
  path: string;
  title: string;
}

export interface DocsPage extends PageLink {
  /** The content of the page, as HTML. */
  content: string;
  /** Path of the page as Markdown. */
  markdownPath: string;
  /** Sections of the page, for the contents. */
  parts?: readonly { href: string; title: string; parts?: readonly { href: string; title: string }[] }[];
}

/** Pages under one heading of the contents. */
export interface PageGroup {
  heading: string;
  pages: readonly PageLink[];
}

const eta = new Eta({ views: TEMPLATES, autoTrim: [false, 'nl'] });

/** @param template its name below `web/reference` */
export function renderTemplate(template: string, data: object): string {
  return eta.render(`./${template}`, data);
}

/**
 * The whole page as HTML.
 * @param groups the contents, the same on every page. Their order is that of *previous* and *next*
 * @param description a sentence for search engines
 * @param brand the operator's name, and the path of the logo. No logo: the mark of qrpress
 */
export function framed(
  page: DocsPage,
  groups: readonly PageGroup[],
  description: string,
  brand: { name: string; logo: string | undefined },
): string {
  const pages = groups.flatMap((group) => group.pages);
  const at = pages.findIndex(({ path }) => path === page.path);
  const report = BUGS && `${BUGS}/new?title=${encodeURIComponent(`Docs: ${page.title}`)}`;
  const around = { previous: pages[at - 1], next: pages[at + 1] };
  return renderTemplate('layout', { page, groups, description, brand, around, report, version: VERSION });
}
