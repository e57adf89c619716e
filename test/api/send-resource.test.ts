/** Bodies whose first bytes are waited for. */

import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Context } from 'koa';
import { expect, it } from 'vitest';
import { whenReadable } from '../../src/api/send-resource.js';

const res = new EventEmitter();
const ctx = { remove: () => undefined, res } as unknown as Context;

it('hands on a body that has whenReadable, with all its bytes', async () => {
  expect(await text(await whenReadable(ctx, Readable.from(['a', 'b'], { objectMode: false })))).toBe('ab');
  expect(await text(await whenReadable(ctx, Readable.from([])))).toBe('');
});

it('rejects where a body fails before its first bytes', async () => {
  const body = new Readable({ read: () => body.destroy(new Error('away')) });
  await expect(whenReadable(ctx, body)).rejects.toThrow('away');
});

it('gives a body up whose client goes away', async () => {
  const body = new Readable({ read: () => void res.emit('close') });
  await expect(whenReadable(ctx, body)).rejects.toThrow('went away');
  expect([body.destroyed, res.listenerCount('close')]).toEqual([true, 0]);
});

it('leaves an error behind the first bytes to whoever sends the body', async () => {
  const body = new Readable({
    read: () =>
      void setImmediate(() => {
        body.push('a');
        process.nextTick(() => body.destroy(new Error('broken off')));
      }),
  });
  await expect(whenReadable(ctx, body).then(text)).rejects.toThrow('broken off');
});
