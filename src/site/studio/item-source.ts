/** Where the items of the studio's form come from. */

/** Typed lines, or a file. */
export type ItemSource = { lines: string } | { path: string; name: string };

export function isSpreadsheet(source: ItemSource): source is { path: string; name: string } {
  return 'path' in source && !isNdjson(source) && !/\.json$/i.test(source.name);
}

export function isNdjson({ name }: { name: string }): boolean {
  return /\.(ndjson|jsonl)$/i.test(name);
}
