/** Set-up of every test file: what the service answers to `fetch` is held against the OpenAPI document. */

import { afterAll, afterEach, expect } from 'vitest';
import type { Exchange } from './contract.js';
import { DESCRIBED } from './described-paths.js';

const found: string[] = [];
const send = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const response = await send(input, init);
  // A double of the service, which a test made, promises nothing.
  if (response.headers.has('x-double')) {
    return response;
  }
  const { pathname } = new URL(response.url);
  if (!DESCRIBED.test(pathname)) {
    return response;
  }
  // Takes a while to load, which many test files can do without.
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

/** The body of a request that is text, and sent as it is. */
function sentBy(init: RequestInit | undefined): Exchange['sent'] {
  const headers = new Headers(init?.headers);
  const [type = ''] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  const isText = typeof init?.body === 'string' && !headers.has('content-encoding');
  return isText ? { type, text: init.body as string } : undefined;
}

/** The body of a JSON response, or what there is of it. */
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
afterAll(report);
