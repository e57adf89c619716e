/** The library has no types of its own. */
declare module 'oidc-provider' {
  // biome-ignore lint/suspicious/noExplicitAny: tests use a few of its members.
  export const Provider: any;
}
