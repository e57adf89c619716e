/** An operation as a curl command. */

import type { OperationObject, ParameterObject } from 'openapi3-ts/oas31';
import { shellWord } from '../../quoting.js';

/** What a command is made of. */
export interface Call {
  /** Origin of the service. */
  baseUrl: string;
  path: string;
  method: string;
  operation: OperationObject;
}

/** @param body the body to send, and its content type */
export function curlCommand({ baseUrl, path, method, operation }: Call, body?: { type: string; text: string }): string {
  const parameters = (operation.parameters ?? []) as ParameterObject[];
  const valuesOf = (place: string) =>
    parameters.filter((parameter) => parameter.in === place && parameter.required === true);
  const filled = valuesOf('path').reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  const query = valuesOf('query').map(({ name, example }) => `${name}=${String(example)}`);
  const needsKey = (operation.security ?? []).length > 0;
  const words = [
    `curl ${method === 'head' ? '--head ' : ''}${shellWord(`${baseUrl}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`)}`,
    ...(needsKey ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(body === undefined
      ? []
      : [`-H ${shellWord(`Content-Type: ${body.type}`)}`, `--data-binary ${shellWord(body.text)}`]),
    ...('200' in (operation.responses ?? {}) && isArchive(operation) && method === 'get' ? ['-o codes.zip'] : []),
  ];
  return words.join(' \\\n  ');
}

function isArchive({ responses }: OperationObject): boolean {
  const { content } = (responses?.['200'] ?? {}) as { content?: object };
  return content !== undefined && 'application/zip' in content;
}
