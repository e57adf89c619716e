/** Jobs that are drawn later are let in while the queue is drawn in time. */

import { expect, test, vi } from 'vitest';
import { QueueRoom } from '../../src/admission/queue-room.js';
import { QUEUE } from '../../src/admission/table.js';

const REFUSED = { code: 'unavailable', headers: { 'Retry-After': expect.stringMatching(/^\d+$/) } };

const store = async () => undefined;

/** A queue of `chunks`, of which the organisation `other` has none, and from which 100 are taken in a second. */
function queueOf(chunks: number, maxWaitMs?: number) {
  let [now, started] = [0, 0];
  const look = async (organisationId: string) => ({ chunks, own: organisationId === 'other' ? 0 : chunks, started });
  const room = new QueueRoom(look, () => now, maxWaitMs);
  const pass = (seconds: number) => {
    now += 1_000 * seconds;
    started += 100 * seconds;
  };
  return { room, pass };
}

test('lets in what a big job or two have, however slowly they are drawn', async () => {
  const { room } = queueOf(QUEUE.chunks);
  await room.enter('own', store);
  expect(room.figures).toMatchObject({ work: 'queue', places: QUEUE.chunks, taken: QUEUE.chunks, refused: 0 });
});

test('lets in as much as is drawn in time, and says when there is room again', async () => {
  const inTime = 100 * QUEUE.seconds;
  const full = queueOf(inTime);
  await expect(full.room.enter('own', store)).rejects.toMatchObject(REFUSED);
  full.pass(2);
  await full.room.enter('own', store);
  const tooFull = queueOf(inTime + 700);
  await expect(tooFull.room.enter('own', store)).rejects.toMatchObject(REFUSED);
  tooFull.pass(2);
  await expect(tooFull.room.enter('own', store)).rejects.toMatchObject({ headers: { 'Retry-After': '7' } });
  expect(tooFull.room.figures).toMatchObject({ work: 'queue', places: inTime, taken: inTime + 700, refused: 2 });
});

test('refuses whose jobs wait, and nobody else', async () => {
  const { room } = queueOf(100 * QUEUE.chunks);
  await expect(room.enter('own', store)).rejects.toMatchObject(REFUSED);
  await room.enter('other', store);
});

test('refuses a job that has waited too long to be stored, and stores the next in its place', async () => {
  const { room } = queueOf(QUEUE.chunks, 1);
  const ends: (() => void)[] = [];
  const slow = () => new Promise<void>((resolve) => ends.push(resolve));
  const stored = [room.enter('own', slow), room.enter('own', slow)];
  await vi.waitFor(() => expect(ends).toHaveLength(2), { timeout: 20_000 });
  const waits = vi.fn(store);
  await expect(room.enter('own', waits)).rejects.toMatchObject(REFUSED);
  expect(waits).not.toHaveBeenCalled();
  ends.forEach((end) => end());
  await Promise.all(stored);
  await room.enter('own', store);
  expect(room.figures.refused).toBe(1);
});

test('refuses nobody where the queue cannot be looked at', async () => {
  await new QueueRoom(async () => undefined).enter('own', store);
});

test('lets jobs in two at a time while many chunks wait', async () => {
  const { room } = queueOf(QUEUE.chunks);
  const stored: (() => void)[] = [];
  const jobs = Array.from({ length: 5 }, () =>
    room.enter('own', () => new Promise<void>((resolve) => stored.push(resolve))),
  );
  for (let job = 1; job <= 5; job += 1) {
    await vi.waitFor(() => expect(stored).toHaveLength(Math.min(5, job + 1)), { timeout: 20_000 });
    stored[job - 1]?.();
    await Promise.race(jobs.slice(job - 1));
  }
  await Promise.all(jobs);
});
