/** Advice about `QRPRESS_TRUSTED_PROXIES`: what is probably wrong, since the service cannot know which proxies there are. */

import { isIPv4 } from 'node:net';
import type { Config } from './config.js';

/** Networks with fewer bits have more hosts than proxies: more than 4,096 addresses, or than a site has in IPv6. */
const NARROW_BITS = { v4: 20, v6: 48 };

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
    return bits !== undefined && Number(bits) < NARROW_BITS[isIPv4(address) ? 'v4' : 'v6'];
  });
  return wide.length === 0
    ? undefined
    : `QRPRESS_TRUSTED_PROXIES trusts all of ${wide.join(', ')}: whoever asks from there chooses the address that counts as theirs`;
}
