/** A request that can be tried at once, as a shell command. */

/** @param authorization the header with the key, as a word of the shell */
export function exampleRequest(baseUrl: string, authorization: string): string {
  const body = JSON.stringify({ items: [{ data: 'https://example.org/1' }, { data: 'https://example.org/2' }] });
  return [
    `curl ${baseUrl}/api/v1/jobs \\`,
    `  -H ${authorization} \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${body}'`,
  ].join('\n');
}
