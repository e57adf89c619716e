/** Advice about `QRPRESS_TRUSTED_PROXIES`: what is probably wrong, since the service cannot know which proxies there are. */

import { isIPv4 } from 'node:net';
import type { Config } from './config.js';

/** Bits of an IPv4 network that has more addresses than proxies. */
const WIDE_BITS = 20;

/** A sentence for who runs the service. Undefined when nothing looks wrong. */
export function proxyAdvice({
  baseUrl,
  trustedProxies,
}: Pick<Config, 'baseUrl' | 'trustedProxies'>): string | undefined {
  if (baseUrl.startsWith('https:') && trustedProxies.length === 0) {
    return 'QRPRESS_TRUSTED_PROXIES names no proxy, but one ends TLS for QRPRESS_BASE_URL: all clients have its address, and share its limits';
  }
  const wide = trustedProxies.filter((entry) => {
    const [address = '', bits] = entry.split('/');
    return isIPv4(address) && bits !== undefined && Number(bits) < WIDE_BITS;
  });
  return wide.length === 0
    ? undefined
    : `QRPRESS_TRUSTED_PROXIES trusts all of ${wide.join(', ')}: whoever asks from there chooses the address that counts as theirs`;
}
