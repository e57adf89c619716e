/** Addresses of people: in one spelling, so that an address is one account. */

/** RFC 5321 lets paths have 256 characters, brackets included. */
const LONGEST = 254;

/** No quoted local parts, comments or address literals, which nobody uses to sign in. */
const FORM = /^[^\s@<>()[\],;:\\"]{1,64}@[^\s@<>()[\],;:\\"]+$/u;

/** The address in lower case; undefined when it is none. */
export function emailAddress(text: string): string | undefined {
  const address = text.trim().toLowerCase();
  return address.length <= LONGEST && FORM.test(address) && !/\p{C}/u.test(address) ? address : undefined;
}
