/** A map that keeps the entries that were used last. */

/** Puts an entry behind all others, and deletes the first one where there are too many. */
export function keepLatest<Key, Value>(entries: Map<Key, Value>, key: Key, value: Value, most: number): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size > most) {
    const [oldest = key] = entries.keys();
    entries.delete(oldest);
  }
}
