/** Names in the log the addresses that forward requests although `QRPRESS_TRUSTED_PROXIES` does not name them. */

import { HOUR_MS } from '../contract/limits.js';
import type { Log } from '../platform/log.js';

/** Addresses that are named within an hour. Any client may send the header, from any number of addresses. */
const MAX_NAMED = 20;

export class UnnamedProxies {
  readonly #log: Log;
  /** Addresses that were named, with the time from which they may be named again. */
  readonly #named = new Map<string, number>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Notes a request with a forwarding header. @param address that it came from, which is not trusted */
  note(address: string): void {
    const now = performance.now();
    if ((this.#named.get(address) ?? 0) > now) {
      return;
    }
    for (const [each, until] of this.#named) {
      if (until <= now) {
        this.#named.delete(each);
      }
    }
    if (this.#named.size < MAX_NAMED) {
      this.#named.set(address, now + HOUR_MS);
      this.#log.warn(
        { proxy: address },
        'X-Forwarded-For does not count: QRPRESS_TRUSTED_PROXIES does not name this proxy, whose clients share its limits',
      );
    }
  }
}
