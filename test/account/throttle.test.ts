/** Throttling: by network, however an address is written, and of several processes together. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Throttle } from '../../src/account/throttle.js';
import { connectRedis, type Redis } from '../../src/redis/connection.js';
import { lineLog } from '../support/log.js';
import { describeWithRedis, REDIS_URL } from '../support/redis.js';
import { ServerLine } from '../support/server-line.js';

/** Forms that a network gets through, each from another of its addresses. */
async function formsFrom(address: (host: number) => string): Promise<number> {
  const throttle = new Throttle();
  for (let host = 1; host <= 100; host += 1) {
    try {
      await throttle.form(address(host));
    } catch (error) {
      expect(error).toMatchObject({ reason: 'too_many' });
      return host - 1;
    }
  }
  return Number.POSITIVE_INFINITY;
}

test.each<[string, (host: number) => string]>([
  ['written out', (host) => `2001:db8:0:0:${host}:1:1:1`],
  ['shortened', (host) => `2001:db8::${host.toString(16)}:1:1:1`],
  ['shortened to the last group', (host) => `2001:db8::${host.toString(16)}`],
  ['with leading zeros', (host) => `2001:0db8::${host.toString(16).padStart(4, '0')}`],
])('an IPv6 network is one, %s', async (_, address) => {
  expect(await formsFrom(address)).toBe(60);
});

test('neighbours in IPv4, and networks in IPv6, are told apart', async () => {
  expect(await formsFrom((host) => `192.0.2.${host}`)).toBe(Number.POSITIVE_INFINITY);
  expect(await formsFrom((host) => `2001:db8:0:${host.toString(16)}::1`)).toBe(Number.POSITIVE_INFINITY);
});

test('an account is signed in to so often only: each time adds a session and a line to the log of actions', async () => {
  const throttle = new Throttle();
  const signIn = () => throttle.attempt('ada@example.org', '192.0.2.1', async () => 'in');
  for (let times = 0; times < 1_000; times += 1) {
    expect(await signIn()).toBe('in');
  }
  await expect(signIn()).rejects.toMatchObject({ reason: 'too_many' });
});

describeWithRedis('throttling in several processes', () => {
  let line: ServerLine;
  let connections: Redis[];
  let throttles: Throttle[];
  beforeEach(async () => {
    line = await ServerLine.open(REDIS_URL);
    connections = [1, 2].map(() => connectRedis(line.url, lineLog()));
    await Promise.all(connections.map((redis) => once(redis, 'ready')));
    throttles = connections.map((redis) => new Throttle(redis));
  });
  afterEach(async () => {
    for (const redis of connections) redis.disconnect();
    await line.close();
  });

  /** The counts outlive the test. */
  const somebody = () => `${randomUUID()}@example.org`;

  const guess = (process: number, email: string, address: string) =>
    throttles[process % 2]?.attempt(email, address, async () => undefined);

  test('counts the guesses of all', async () => {
    const [email, address] = [somebody(), somebody()];
    for (let process = 0; process < 5; process += 1) await guess(process, email, address);
    for (const process of [0, 1]) {
      await expect(guess(process, email, address)).rejects.toMatchObject({ reason: 'too_many' });
    }
    expect(await throttles[0]?.attempt(email, somebody(), async () => 'in')).toBe('in');
  });

  test('forgets the guesses of whoever then knew, in all', async () => {
    const [email, address] = [somebody(), somebody()];
    for (let process = 0; process < 4; process += 1) await guess(process, email, address);
    expect(await throttles[1]?.attempt(email, address, async () => 'in')).toBe('in');
    for (let process = 0; process < 5; process += 1) await guess(process, email, address);
  });

  test('counts on in each process while Redis is away', async () => {
    line.cut();
    const [email, address] = [somebody(), somebody()];
    for (let times = 0; times < 5; times += 1) await guess(0, email, address);
    await expect(guess(0, email, address)).rejects.toMatchObject({ reason: 'too_many' });
    await guess(1, email, address);
  });
});
