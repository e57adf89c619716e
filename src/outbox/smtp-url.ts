/** The URL of a mail server, and whether a connection to it must be encrypted. */

import { isLoopback } from '../platform/network.js';

/** Values of the parameter `tls`: STARTTLS always, where the server offers it, or never. */
const TLS = ['required', 'opportunistic', 'off'] as const;

/** `smtp://user:password@host:port?tls=…` or `smtps://…`, as nodemailer's options. */
interface SmtpOptions {
  url: string;
  requireTLS: boolean;
  ignoreTLS: boolean;
  /** False: any certificate will do. */
  tls: { rejectUnauthorized: boolean };
  /** Signs in also where the server offers no sign-in: without it the server may refuse recipients for good. */
  forceAuth: boolean;
}

/**
 * A connection that begins in clear text is encrypted before anything else is said, unless the URL says otherwise. A server
 * on this machine is asked for encryption, and used without. Where clear text would do, so does any certificate: who could
 * forge one could also hide that the server encrypts (RFC 7435, section 3). @throws Error for another value of `tls`
 */
export function smtpOptions(text: string): SmtpOptions {
  const url = new URL(text);
  const isSecure = url.protocol === 'smtps:';
  const tls = url.searchParams.get('tls') ?? (isLoopback(url.hostname) ? 'opportunistic' : 'required');
  if (!TLS.some((value) => value === tls) || (isSecure && url.searchParams.has('tls'))) {
    throw new Error(`expected tls=${TLS.join(', ')} in an smtp:// URL, and no tls in an smtps:// URL`);
  }
  url.searchParams.delete('tls');
  return {
    url: url.href,
    requireTLS: !isSecure && tls === 'required',
    ignoreTLS: tls === 'off',
    tls: { rejectUnauthorized: isSecure || tls !== 'opportunistic' },
    forceAuth: url.username !== '',
  };
}
