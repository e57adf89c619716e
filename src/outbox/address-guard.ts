/** Keeps webhooks from calling the operator's own network: resolves each name once and checks every address. */

import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { blockListOf, HostList } from '../platform/network.js';
import { OutgoingProxy, type ProxySettings } from '../platform/outgoing-proxy.js';

/** The address is neither public nor allowed by the operator. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
}

/**
 * Networks that are not part of the public internet (IANA special-purpose address registries), and the address by which a
 * machine of Azure reaches its host: the other clouds use addresses of these networks.
 */
const REFUSED = blockListOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16',
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

/** Time for each question to a name server, and number of questions. */
const PATIENCE = { timeout: 2_000, tries: 2 };

/** Codes of the resolver's errors when a name has no address, or when there is no name server. */
const NO_SUCH_NAME: ReadonlySet<string | undefined> = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/** The only public part of IPv6. Addresses that embed an IPv4 address lie outside it. */
const GLOBAL_IPV6 = blockListOf(['2000::/3']);

export class AddressGuard {
  readonly #allowed: HostList;
  /** Calls go through it. */
  readonly proxy: OutgoingProxy | undefined;

  /** @param allowed host names, addresses and networks (CIDR) that may be called although they are not public */
  constructor(allowed: readonly string[], proxy?: ProxySettings) {
    this.#allowed = new HostList(allowed);
    this.proxy = proxy && new OutgoingProxy(proxy);
  }

  /** Addresses that a call of `url` may connect to. @throws RefusedAddressError, or the resolver's error */
  async resolve({ hostname }: URL): Promise<LookupAddress[]> {
    const host = hostname.replace(/^\[|\]$/g, '');
    const family = isIP(host);
    const isAllowed = this.#allowed.hasHost(host);
    const addresses = family === 0 ? await this.#find(host) : [{ address: host, family }];
    const callable = addresses.filter((address) => isAllowed || this.#mayCall(address));
    const [first] = addresses;
    if (callable.length === 0) {
      const where = first === undefined || first.address === host ? host : `${host} (${first.address})`;
      throw new RefusedAddressError(`Use a public address; ${where} is private.`);
    }
    return callable;
  }

  /**
   * The addresses of a name. This machine's own names, those of /etc/hosts, count only where the operator allows an address
   * or a network: to look up any other name holds a thread of the process until a name server answers. `localhost` is
   * known without one. @throws the resolver's error
   */
  async #find(host: string): Promise<LookupAddress[]> {
    if (this.#allowed.hasHost(host) || host === 'localhost') {
      return lookup(host, { all: true });
    }
    try {
      return await askNameServers(host);
    } catch (error) {
      if (this.#allowed.hasNetworks && NO_SUCH_NAME.has((error as NodeJS.ErrnoException).code)) {
        return lookup(host, { all: true });
      }
      throw error;
    }
  }

  #mayCall({ address, family }: LookupAddress): boolean {
    const kind = family === 6 ? 'ipv6' : 'ipv4';
    const isPublic = !REFUSED.check(address, kind) && (kind === 'ipv4' || GLOBAL_IPV6.check(address, kind));
    return isPublic || this.#allowed.hasAddress(address);
  }
}

/**
 * The addresses of anybody's name. A name server that keeps silent holds no thread of the process: connections to
 * database, bucket and mail server need those for their own names. @throws the resolver's error when there is no address
 */
async function askNameServers(host: string): Promise<LookupAddress[]> {
  const resolver = new Resolver(PATIENCE);
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = found.flatMap((answer, index) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: [4, 6][index] as number })) : [],
  );
  if (addresses.length === 0 && found[0].status === 'rejected') {
    throw found[0].reason as Error;
  }
  return addresses;
}
