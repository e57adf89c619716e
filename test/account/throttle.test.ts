/** Throttling by network: however an address is written, and whichever of a network's addresses it is. */

import { expect, test } from 'vitest';
import { Throttle } from '../../src/account/throttle.ts';

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
