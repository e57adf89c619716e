/** The names that blobs have: `/`-separated, of ASCII letters, digits, `-`, `_` and `.`, none of which begins with `.`. */

const KEY = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/;

export function isBlobKey(text: string): boolean {
  return KEY.test(text);
}

/** @throws RangeError when a name leads elsewhere */
export function checkBlobKey(key: string): void {
  if (!isBlobKey(key)) {
    throw new RangeError(`not a blob's key: ${JSON.stringify(key)}`);
  }
}
