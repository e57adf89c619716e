/** Keeps webhooks from calling the operator's own network: resolves each name once and checks every address. */

import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** The address is neither public nor allowed by the operator. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
}

/** Networks that are not part of the public internet (IANA special-purpose address registries). */
const REFUSED = networks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);

/** The only public part of IPv6. Addresses that embed an IPv4 address lie outside it. */
const GLOBAL_IPV6 = networks(['2000::/3']);

export class AddressGuard {
  readonly #hosts: ReadonlySet<string>;
  readonly #networks: BlockList;

  /** @param allowed host names, addresses and networks (CIDR) that may be called although they are not public */
  constructor(allowed: readonly string[]) {
    const isNetwork = (entry: string) => isIP(entry.split('/')[0] ?? '') !== 0;
    this.#hosts = new Set(allowed.filter((entry) => !isNetwork(entry)).map((host) => host.toLowerCase()));
    this.#networks = networks(allowed.filter(isNetwork));
  }

  /** Addresses that a call of `url` may connect to. @throws RefusedAddressError, or the resolver's error */
  async resolve({ hostname }: URL): Promise<LookupAddress[]> {
    const host = hostname.replace(/^\[|\]$/g, '');
    const family = isIP(host);
    const addresses = family === 0 ? await lookup(host, { all: true }) : [{ address: host, family }];
    const callable = addresses.filter((address) => this.#hosts.has(host) || this.#mayCall(address));
    const [first] = addresses;
    if (callable.length === 0) {
      throw new RefusedAddressError(`${host} is at ${first?.address ?? 'none'}, which is not a public address.`);
    }
    return callable;
  }

  #mayCall({ address, family }: LookupAddress): boolean {
    const kind = family === 6 ? 'ipv6' : 'ipv4';
    const isPublic = !REFUSED.check(address, kind) && (kind === 'ipv4' || GLOBAL_IPV6.check(address, kind));
    return isPublic || this.#networks.check(address, kind);
  }
}

function networks(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const [kind, bits] = isIP(address) === 6 ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
    list.addSubnet(address, prefix === undefined ? bits : Number(prefix), kind);
  }
  return list;
}
