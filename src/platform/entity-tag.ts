/** Entity tags, by which HTTP caches recognise a version of a representation. */

import { hash } from 'node:crypto';

/** A strong entity tag (RFC 9110, section 8.8.3), quoted: a hash of a text that is unique to the representation. */
export function entityTagOf(identity: string): string {
  return `"${hash('sha256', identity, 'base64url').slice(0, 22)}"`;
}
