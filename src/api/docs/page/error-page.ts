/** The catalogue of errors: the meaning and remedy of each code. */

import { ERROR_STATUS, type ErrorCode } from '../../../contract/errors.js';
import { ERROR_BODY_SCHEMAS } from '../../../contract/response-schema.js';
import { ERROR_TABLE, REQUEST_ID } from '../error-table.js';
import { type DocsPage, renderTemplate } from './docs-page.js';
import { COMMON_ERRORS } from './operation-view.js';
import { codeHtml, inline } from './html.js';

const MEMBERS_OF_ALL = new Set(['error', 'message', 'requestId']);

export function errorPage(): DocsPage {
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
  return { path: '/docs/errors', title: 'Errors', content, parts };
}
