/** Keys of blobs: names separated by `/`, of ASCII letters, digits, `-`, `_` and `.`. No name begins with `.`. */

const KEY = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/;

export function isBlobKey(text: string): boolean {
  return KEY.test(text);
}

/** @throws RangeError when `key` is not a valid blob key */
export function checkBlobKey(key: string): void {
  if (!isBlobKey(key)) {
    throw new RangeError(`not a blob key: ${JSON.stringify(key)}`);
  }
}
