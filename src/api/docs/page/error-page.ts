/** The catalogue of errors: the meaning and remedy of each code. */

import { ERROR_STATUS, type ErrorCode } from '../../../contract/errors.js';
import { ERROR_BODY_SCHEMAS } from '../../../contract/response-schema.js';
import { ERROR_TABLE, REQUEST_ID } from '../error-table.js';
import { renderTemplate } from './docs-page.js';
import type { MarkdownPage } from './guide-pages.js';
import { COMMON_ERRORS } from './operation-view.js';
import { codeHtml, inline } from './html.js';

const MEMBERS_OF_ALL = new Set(['error', 'message', 'requestId']);

export function errorPage(): MarkdownPage {
  const errors = (Object.entries(ERROR_STATUS) as [ErrorCode, number][]).map(([code, status]) => ({
    code,
    status,
    condition: inline(ERROR_TABLE[code].condition),
    remedy: inline(ERROR_TABLE[code].remedy),
    members: Object.entries(ERROR_BODY_SCHEMAS[code].properties)
      .filter(([name]) => !MEMBERS_OF_ALL.has(name))
      .map(([name, schema]) => ({
        name,
        description: 'description' in schema ? inline(String(schema.description)) : '',
      })),
    example: codeHtml(JSON.stringify({ error: code, ...ERROR_TABLE[code].example, requestId: REQUEST_ID }, null, 2)),
  }));
  const content = renderTemplate('errors', { errors, common: COMMON_ERRORS, statuses: ERROR_STATUS });
  const parts = errors.map(({ code }) => ({ href: `#error-${code}`, title: code }));
  const path = '/docs/errors';
  return { path, title: 'Errors', content, parts, markdown: errorMarkdown(), markdownPath: `${path}.md` };
}

/** The catalogue as Markdown. `docs/reference/errors.md` is the same, for readers of the repository. */
function errorMarkdown(): string {
  const sections = (Object.entries(ERROR_STATUS) as [ErrorCode, number][]).map(([code, status]) => {
    const { condition, remedy } = ERROR_TABLE[code];
    return `## ${code}\n\n${status}. ${condition}\n\n${remedy}`;
  });
  return `${['# Errors', 'Every error code, when it is returned, and what to do about it.', ...sections].join('\n\n')}\n`;
}
