/** The URLs that webhooks may have. */

import { type ApiError, invalidInput } from '../contract/errors.js';
import { type AddressGuard, RefusedAddressError } from '../outbox/address-guard.js';

const MAX_URL_CHARACTERS = 2_000;

/**
 * Checks and normalises the URL. Accepts a name that does not resolve now: it is resolved again for every call.
 * @throws ApiError `invalid_input` when the URL must not be called
 */
export async function requireWebhookUrl(text: string, guard: AddressGuard): Promise<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') {
    throw invalidUrl('The address must begin with https:// or http:// and must not contain a user name or password.');
  }
  url.hash = '';
  if (url.href.length > MAX_URL_CHARACTERS) {
    throw invalidUrl(`The address is too long: ${url.href.length} of ${MAX_URL_CHARACTERS} characters.`);
  }
  await guard.resolve(url).catch((error: unknown) => {
    if (error instanceof RefusedAddressError) {
      throw invalidUrl(error.message);
    }
  });
  return url.href;
}

export function invalidUrl(message: string): ApiError {
  return invalidInput({ path: '/url', code: 'invalid_value', message });
}
