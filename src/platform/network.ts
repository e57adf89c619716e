/** Lists of IP addresses and networks, and the addresses of this machine. */

import { BlockList, isIP } from 'node:net';

/** A list of addresses and networks (CIDR). Its `check` returns true for an address that lies in one of them. */
export function blockListOf(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    // Not by `isIP`, whose expression for IPv6 takes longer to compile than all else here.
    const [family, bits] = address.includes(':') ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
    list.addSubnet(address, prefix === undefined ? bits : Number(prefix), family);
  }
  return list;
}

/** True for the names and addresses of this machine, as a URL writes them. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
}

/** Host names, addresses and networks (CIDR). */
export class HostList {
  readonly #hosts: ReadonlySet<string>;
  readonly #networks: BlockList;

  constructor(entries: readonly string[]) {
    const isNetwork = (entry: string) => isIP(entry.split('/')[0] ?? '') !== 0;
    this.#hosts = new Set(entries.filter((entry) => !isNetwork(entry)).map((host) => host.toLowerCase()));
    this.#networks = blockListOf(entries.filter(isNetwork));
  }

  get hasNetworks(): boolean {
    return this.#networks.rules.length > 0;
  }

  hasHost(name: string): boolean {
    return this.#hosts.has(name.toLowerCase());
  }

  hasAddress(address: string): boolean {
    return this.#networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
}
