import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { untilGone } from '../../../src/jobs/intake/check-draft.js';
import { BodyAbortedError } from '../../../src/platform/body-aborted-error.js';

const response = () => new ServerResponse(new IncomingMessage(new Socket()));

it('aborts work for a client that leaves', async () => {
  const res = response();
  const work = untilGone({ res }, async (signal) => {
    res.emit('close');
    signal.throwIfAborted();
  });
  await expect(work).rejects.toThrow(BodyAbortedError);
});

it('aborts work for a client that has left before', async () => {
  const res = response();
  res.destroy();
  await expect(untilGone({ res }, async (signal) => signal.throwIfAborted())).rejects.toThrow(BodyAbortedError);
});
