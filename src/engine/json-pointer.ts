/** JSON Pointers (RFC 6901), which issues point with. */

/** The pointer to member `name` of what `parent` points to. */
export function pointer(parent: string, name: string): string {
  return `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** What `path` points to in `value`; undefined where there is nothing. */
export function valueAt(value: unknown, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (parent, name) =>
        typeof parent === 'object' && parent !== null && Object.hasOwn(parent, name)
          ? (parent as Record<string, unknown>)[name]
          : undefined,
      value,
    );
}
