/** Set-up of every test file: checks the service's responses to `fetch` against the OpenAPI document. */

import { afterAll, afterEach, expect } from 'vitest';
import type { Exchange } from './contract.js';
import { DESCRIBED } from './described-paths.js';

const found: string[] = [];
const send = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const response = await send(input, init);
  // The contract does not apply to a double that a test made.
  if (response.headers.has('x-double')) {
    return response;
  }
  const { pathname } = new URL(response.url);
  if (!DESCRIBED.test(pathname)) {
    return response;
  }
  // Loaded on demand: it takes a while, and many test files do not need it.
  const { departures } = await import('./contract.js');
  const json = await bodyOf(response);
  const sent = sentBy(init);
  found.push(
    ...departures({
      method: (init?.method ?? 'GET').toUpperCase(),
      path: pathname,
      status: response.status,
      headers: response.headers,
      json,
      ...(sent && { sent }),
    }),
  );
  return response;
};

/** The body of a request, if it is text without a content coding. */
function sentBy(init: RequestInit | undefined): Exchange['sent'] {
  const headers = new Headers(init?.headers);
  const [type = ''] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  const isText = typeof init?.body === 'string' && !headers.has('content-encoding');
  return isText ? { type, text: init.body as string } : undefined;
}

/** The body of a JSON response. Text, if it is not valid JSON. Undefined for other responses. */
async function bodyOf(response: Response): Promise<unknown> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  if (!isJson || response.body === null) {
    return undefined;
  }
  const text = await response.clone().text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function report(): void {
  expect(found.splice(0), 'departs from the OpenAPI document').toEqual([]);
}

afterEach(report);
afterAll(() => {
  // The next file of this process has this set-up again.
  globalThis.fetch = send;
  report();
});
