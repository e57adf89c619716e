/** Behaviour of every dispatcher. A new one has to pass this. */

import { afterEach, expect, test, vi } from 'vitest';
import type { Dispatcher, Step, StepHandler } from '../../../../src/jobs/work/queue/dispatcher.js';

interface OpenedDispatcher {
  dispatcher: Dispatcher;
  /** Removes what it left elsewhere, after it was closed. */
  remove: () => Promise<void>;
}

/** Makes a dispatcher with a queue that no other has. */
export type OpenDispatcher = (slots: number) => Promise<OpenedDispatcher>;

interface Running {
  name: string;
  end: (comeAgainAt?: number) => void;
}

export function describeDispatcher(open: OpenDispatcher): void {
  let opened: OpenedDispatcher;
  let running: Running[];
  let started: string[];
  afterEach(async () => {
    const closed = opened.dispatcher.close();
    running.forEach(({ end }) => end());
    await closed;
    await opened.remove();
  });

  /** A dispatcher whose steps end when the test says so. */
  async function control(slots: number): Promise<Dispatcher> {
    running = [];
    started = [];
    opened = await open(slots);
    const handle: StepHandler = (step) => {
      const name = nameOf(step);
      started.push(name);
      return new Promise((resolve) => {
        running.push({ name, end: resolve });
      });
    };
    opened.dispatcher.start(handle, () => undefined);
    return opened.dispatcher;
  }

  const until = (look: () => void | Promise<void>) => vi.waitFor(look, { timeout: 20_000, interval: 5 });
  const runningAre = (count: number) => until(() => expect(running).toHaveLength(count));

  /** Ends the oldest step. */
  const endOne = (comeAgainAt?: number) => running.shift()?.end(comeAgainAt);

  /** Ends steps one by one until so many have been started in all. */
  async function runUntilStarted(count: number): Promise<void> {
    while (started.length < count) {
      const before = started.length;
      endOne();
      await until(() => expect(started.length).toBeGreaterThan(before));
    }
  }

  test('runs as many steps at a time as it has slots, and all in the end', async () => {
    const dispatcher = await control(3);
    dispatcher.submit(steps('o', 'a', 7));
    for (let ended = 0; ended < 7; ended += 1) {
      await runningAre(Math.min(3, 7 - ended));
      endOne();
    }
    expect(started.toSorted()).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
  });

  test('starts nothing while it is paused, and goes on afterwards', async () => {
    const dispatcher = await control(2);
    dispatcher.submit(steps('o', 'a', 2));
    await runningAre(2);
    dispatcher.pause();
    dispatcher.submit(steps('o', 'b', 2));
    await dispatcher.sent();
    endOne();
    endOne();
    await dispatcher.figures('o');
    expect(started.toSorted()).toEqual(['a0', 'a1']);
    dispatcher.resume();
    await runningAre(2);
    expect(started.toSorted()).toEqual(['a0', 'a1', 'b0', 'b1']);
  });

  test('takes what is submitted twice once, until it was handled', async () => {
    const dispatcher = await control(1);
    dispatcher.submit(steps('o', 'a', 3));
    await runningAre(1);
    dispatcher.submit(steps('o', 'a', 3).slice(1));
    dispatcher.submit([{ organisationId: 'o', jobId: 'a' }]);
    dispatcher.submit([{ organisationId: 'o', jobId: 'a' }]);
    await runUntilStarted(4);
    expect(started.toSorted()).toEqual(['a', 'a0', 'a1', 'a2']);
    endOne();
    dispatcher.submit(steps('o', 'z', 1));
    await runUntilStarted(5);
    expect(started.at(-1)).toBe('z0');
  });

  test('handles a step again when it is told to, from the time that it is told', async () => {
    const dispatcher = await control(1);
    dispatcher.submit(steps('o', 'a', 1));
    await runningAre(1);
    const time = Date.now() + 300;
    endOne(time);
    await runningAre(1);
    expect(started).toEqual(['a0', 'a0']);
    expect(Date.now()).toBeGreaterThanOrEqual(time);
  });

  test('finishes an archive before it begins another chunk', async () => {
    const dispatcher = await control(1);
    dispatcher.submit(steps('o', 'a', 5));
    await runningAre(1);
    dispatcher.submit([{ organisationId: 'o', jobId: 'b' }]);
    await dispatcher.sent();
    await runUntilStarted(3);
    expect(started.slice(1, 3)).toEqual(['b', 'a1']);
  });

  test('tells how many chunks wait, and whose they are', async () => {
    const dispatcher = await control(1);
    dispatcher.submit(steps('o', 'a', 3));
    dispatcher.submit(steps('p', 'b', 1));
    await runningAre(1);
    await dispatcher.sent();
    await until(async () => expect(await dispatcher.figures('o')).toEqual({ chunks: 3, own: 1, started: 1 }));
    expect(await dispatcher.figures('p')).toEqual({ chunks: 3, own: 1, started: 1 });
    expect(await dispatcher.figures('q')).toEqual({ chunks: 3, own: 0, started: 1 });
  });

  test('makes no small job wait for a big one, whosever it is', async () => {
    const slots = 2;
    const dispatcher = await control(slots);
    dispatcher.submit(steps('o', 'big', 60));
    await runningAre(slots);
    await runUntilStarted(10);
    dispatcher.submit(steps('p', 'small', 1));
    dispatcher.submit(steps('o', 'own', 1));
    await dispatcher.sent();
    const before = started.length;
    await runUntilStarted(before + 8);
    // A chunk for each slot was under way or about to be, and each of the others has its turn.
    expect(started.indexOf('small0') - before).toBeLessThanOrEqual(2);
    expect(started.indexOf('own0') - before).toBeLessThanOrEqual(4);
  });

  test('lets a stream of small jobs starve no big one', async () => {
    const dispatcher = await control(1);
    dispatcher.submit(steps('o', 'big', 30));
    await runningAre(1);
    for (let round = 0; round < 10; round += 1) {
      dispatcher.submit(steps('p', `s${round}x`, 1));
      dispatcher.submit(steps('p', `s${round}y`, 1));
      await dispatcher.sent();
      await runUntilStarted(started.length + 2);
    }
    expect(started.filter((name) => name.startsWith('big')).length).toBeGreaterThanOrEqual(8);
    expect(started.filter((name) => name.startsWith('s')).length).toBeGreaterThanOrEqual(8);
  });

  test('gives organisations equal shares, however many jobs they have', async () => {
    const dispatcher = await control(1);
    for (let job = 0; job < 5; job += 1) {
      dispatcher.submit(steps('many', `m${job}-`, 20));
    }
    dispatcher.submit(steps('one', 'one-', 20));
    await dispatcher.sent();
    await runUntilStarted(20);
    expect(started.filter((name) => name.startsWith('one')).length).toBeGreaterThanOrEqual(5);
  });

  test('once closed starts nothing more and waits for what runs', async () => {
    const dispatcher = await control(2);
    dispatcher.submit(steps('o', 'a', 4));
    await runningAre(2);
    let closed = false;
    const closing = dispatcher.close().then(() => {
      closed = true;
    });
    dispatcher.submit(steps('o', 'b', 1));
    endOne();
    await dispatcher.sent();
    expect(closed).toBe(false);
    endOne();
    await closing;
    expect(started.toSorted()).toEqual(['a0', 'a1']);
  });
}

function steps(organisationId: string, jobId: string, count: number): Step[] {
  return Array.from({ length: count }, (_, chunk) => ({ organisationId, jobId, chunk }));
}

const nameOf = ({ jobId, chunk }: Step) => `${jobId}${chunk ?? ''}`;
