/** Throttling: by network, however an address is written, and of several processes together. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Throttle } from '../../src/accounts/people/throttle.js';
import { SharedRedis } from '../../src/platform/redis/shared-redis.js';
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
      expect(error).toMatchObject({ code: 'rate_limited' });
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

test('a person saves at most 100 styles a day: each may have a logo of half a megabyte', async () => {
  const throttle = new Throttle();
  for (let saved = 0; saved < 100; saved += 1) {
    await throttle.count('style', 'ada');
  }
  await expect(throttle.count('style', 'ada')).rejects.toMatchObject({ code: 'rate_limited' });
  await throttle.count('style', 'grace');
});

test('an account is signed in to so often only: each time adds a session and a line to the log of actions', async () => {
  const throttle = new Throttle();
  const signIn = () => throttle.attempt('ada@example.org', '192.0.2.1', async () => 'in');
  for (let times = 0; times < 1_000; times += 1) {
    expect(await signIn()).toBe('in');
  }
  await expect(signIn()).rejects.toMatchObject({ code: 'rate_limited' });
});

test('a new password ends the wait for who typed wrong passwords and codes, at their address alone', async () => {
  const throttle = new Throttle();
  const person = { id: 'ada', email: 'ada@example.org' };
  const addresses = ['192.0.2.1', '192.0.2.2'];
  const guess = (address: string) => throttle.attempt(person.email, address, async () => undefined);
  const typeCode = (address: string) =>
    throttle.code(
      person.id,
      address,
      async () => false,
      async () => undefined,
    );
  for (const address of addresses) {
    for (let wrong = 0; wrong < 5; wrong += 1) {
      await guess(address);
      await typeCode(address);
    }
  }
  await throttle.forget(person, '192.0.2.1');
  expect(await guess('192.0.2.1')).toBe(undefined);
  expect(await typeCode('192.0.2.1')).toBe(false);
  await expect(guess('192.0.2.2')).rejects.toMatchObject({ code: 'rate_limited' });
  await expect(typeCode('192.0.2.2')).rejects.toMatchObject({ code: 'rate_limited' });
});

test('a recipient gets 4 mails an hour, however the address goes on behind a plus sign', async () => {
  const throttle = new Throttle();
  const sent: boolean[] = [];
  for (let mail = 0; mail < 6; mail += 1) {
    sent.push(await throttle.mayMail(`ada+${mail}@example.org`));
  }
  expect(sent).toEqual([true, true, true, true, false, false]);
  expect(await throttle.mayMail('ada@example.org')).toBe(false);
  expect(await throttle.mayMail('grace+ada@example.org')).toBe(true);
});

test('nobody uses up the links for a new password of an account with other mails', async () => {
  const throttle = new Throttle();
  for (let mail = 0; mail < 5; mail += 1) {
    await throttle.mayMail('ada@example.org');
  }
  expect(await throttle.mayMail('ada@example.org')).toBe(false);
  expect(await throttle.mayMail('ada@example.org', 'resetMail')).toBe(true);
});

test('nobody uses up the links for a new password of an account by asking for other addresses', async () => {
  const throttle = new Throttle();
  for (let mail = 0; mail < 5; mail += 1) {
    await throttle.mayMail(`ada+${mail}@example.org`, 'resetMail');
  }
  expect(await throttle.mayMail('ada@example.org', 'resetMail')).toBe(true);
});

test('an attempt that the service could not make is no guess', async () => {
  const throttle = new Throttle();
  const signIn = (attempt: () => Promise<string | undefined>) =>
    throttle.attempt('ada@example.org', '192.0.2.1', attempt);
  const refused = new Error('no place');
  for (let times = 0; times < 60; times += 1) {
    await expect(signIn(() => Promise.reject(refused))).rejects.toBe(refused);
  }
  for (let times = 0; times < 4; times += 1) {
    expect(await signIn(async () => undefined)).toBeUndefined();
  }
  expect(await signIn(async () => 'in')).toBe('in');
});

test('whoever goes on after too many guesses keeps out nobody else at the address', async () => {
  const throttle = new Throttle();
  const signIn = (email: string, outcome: string | undefined) =>
    throttle.attempt(email, '192.0.2.1', async () => outcome);
  for (let guess = 0; guess < 5; guess += 1) {
    await signIn('ada@example.org', undefined);
  }
  for (let times = 0; times < 60; times += 1) {
    await expect(signIn('ada@example.org', 'in')).rejects.toMatchObject({ code: 'rate_limited' });
  }
  expect(await signIn('grace@example.org', 'in')).toBe('in');
});

test('an address with too many failed sign-ins uses up the guesses of no account', async () => {
  const throttle = new Throttle();
  const signIn = (email: string, address: string, outcome: string | undefined) =>
    throttle.attempt(email, address, async () => outcome);
  vi.useFakeTimers();
  try {
    // Those of an account end earlier than those of the address, which begin a quarter of an hour before.
    for (let guess = 0; guess < 50; guess += 1) {
      await signIn(`somebody${guess}@example.org`, '192.0.2.1', undefined);
    }
    vi.advanceTimersByTime(3_500_000);
    for (let times = 0; times < 10; times += 1) {
      await expect(signIn('ada@example.org', '192.0.2.1', 'in')).rejects.toMatchObject({ code: 'rate_limited' });
    }
    vi.advanceTimersByTime(100_000);
    expect(await signIn('ada@example.org', '192.0.2.1', 'in')).toBe('in');
  } finally {
    vi.useRealTimers();
  }
});

test('a network fails at the sign-in by the provider so often only, however many of it get in', async () => {
  const throttle = new Throttle();
  const step = async (address: string, work: () => Promise<string>) => throttle.byProvider(address, work);
  for (let times = 0; times < 100; times += 1) {
    expect(await step('192.0.2.1', async () => 'in')).toBe('in');
  }
  const refused = new Error('refused');
  for (let times = 0; times < 60; times += 1) {
    await expect(step('192.0.2.1', () => Promise.reject(refused))).rejects.toBe(refused);
  }
  await expect(step('192.0.2.1', async () => 'in')).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await step('192.0.2.2', async () => 'in')).toBe('in');
});

describeWithRedis('throttling in several processes', () => {
  let line: ServerLine;
  let connections: SharedRedis[];
  let throttles: Throttle[];
  beforeEach(async () => {
    line = await ServerLine.open(REDIS_URL);
    connections = [1, 2].map(() => new SharedRedis(line.url, lineLog()));
    await Promise.all(connections.map((redis) => once(redis, 'available')));
    throttles = connections.map((redis) => new Throttle(redis));
  });
  afterEach(async () => {
    for (const redis of connections) redis.close();
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
      await expect(guess(process, email, address)).rejects.toMatchObject({ code: 'rate_limited' });
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
    await expect(guess(0, email, address)).rejects.toMatchObject({ code: 'rate_limited' });
    await guess(1, email, address);
  });
});
