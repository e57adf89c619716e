/** The minimum speed of a body: a client that sends too little is given up, and one that this process holds up is not. */

import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Transfers } from '../../../src/admission/places.js';
import { ReceivedBytes } from '../../../src/jobs/intake/request-body.js';
import { BodyAbortedError } from '../../../src/platform/body-aborted-error.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const bodyOf = (request: PassThrough) =>
  new ReceivedBytes(request as unknown as IncomingMessage, 1_000_000, new Transfers());

it('ends a body that brings nothing for half a minute', async () => {
  const request = new PassThrough();
  const chunks = bodyOf(request).chunks();
  request.write('a');
  await chunks.next();
  const more = expect(chunks.next()).rejects.toBeInstanceOf(BodyAbortedError);
  vi.advanceTimersByTime(30_000);
  await more;
});

it('does not blame a client whose bytes wait for a slow disk', async () => {
  const request = new PassThrough();
  const body = bodyOf(request);
  const chunks = body.chunks();
  request.write('a');
  await chunks.next();
  // The first chunk is being written all the time.
  vi.advanceTimersByTime(120_000);
  expect([request.destroyed, body.isSlow]).toEqual([false, false]);
  request.end('b');
  expect(String((await chunks.next()).value)).toBe('b');
  expect((await chunks.next()).done).toBe(true);
});
