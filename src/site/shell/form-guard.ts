/** Protects forms against cross-site request forgery: checks the origin, and a token tied to the browser's cookie. */

import { createHmac, randomBytes } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { isEqualSecret } from '../../accounts/secret-token.js';
import { AccountError } from '../../accounts/account-error.js';
import { formOf } from './form.js';
import { sessionKey } from './session.js';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

interface FormGuardOptions {
  secrets: readonly string[];
  baseUrl: string;
  /** Name of the cookie that ties a form to a browser without a session. */
  cookie: string;
}

export class FormGuard {
  readonly #options: FormGuardOptions;

  /** True when the service is only reached over HTTPS. */
  readonly #isSecure: boolean;

  constructor(options: FormGuardOptions) {
    this.#options = options;
    this.#isSecure = options.baseUrl.startsWith('https:');
  }

  /** Use it before the body is read: a form from another site is refused unread. */
  readonly checkOrigin: Middleware = async (ctx, next) => {
    if (!SAFE.has(ctx.method) && !this.isOwnOrigin(ctx)) {
      throw new AccountError('forbidden', 'The form was sent from another site.');
    }
    await next();
  };

  /** Use it after the form is read. */
  readonly checkToken: Middleware = async (ctx, next) => {
    if (!SAFE.has(ctx.method)) {
      this.requireToken(ctx, formOf(ctx).get('csrf') || ctx.get('X-Form-Token'));
    }
    await next();
  };

  /** @throws AccountError `forbidden` unless `given` is the token for the browser's cookie */
  requireToken(ctx: Context, given: string): void {
    const key = this.browserKey(ctx);
    const right =
      key !== undefined && this.#options.secrets.some((secret) => isEqualSecret(tokenOf(secret, key), given));
    if (!right) {
      throw new AccountError('forbidden', 'Go back, reload the page, and send it again.', 'This form has expired');
    }
  }

  /** The token for the forms of a page. Sets a cookie to tie it to, if the browser has none. */
  token(ctx: Context): string {
    const [secret] = this.#options.secrets;
    if (secret === undefined) {
      throw new Error('there is no secret to sign with');
    }
    let key = this.browserKey(ctx);
    if (key === undefined) {
      key = randomBytes(16).toString('base64url');
      // Lax, because a person may follow a mailed link from another site. A strict cookie would then be replaced, which
      // breaks forms on open pages. Forms from other sites are refused by origin and carry no cookie either way.
      ctx.cookies.set(this.#options.cookie, key, { httpOnly: true, sameSite: 'lax', signed: false, path: '/' });
    }
    return tokenOf(secret, key);
  }

  /** The secret in the browser's cookie. Undefined before its first form. */
  browserKey(ctx: Context): string | undefined {
    return sessionKey(ctx) ?? ctx.cookies.get(this.#options.cookie);
  }

  /** Browsers send the origin of every form. The service may have several host names. */
  isOwnOrigin(ctx: Context): boolean {
    const origin = ctx.get('Origin');
    if (origin === this.#options.baseUrl) {
      return true;
    }
    if (!URL.canParse(origin)) {
      return false;
    }
    const { host, protocol } = new URL(origin);
    // A cookie sent over plain HTTP may have been set by anybody on the network.
    return host === ctx.host && (protocol === 'https:' || (protocol === 'http:' && !this.#isSecure));
  }
}

function tokenOf(secret: string, key: string): string {
  // The prefix keeps these signatures distinct from those of links.
  return createHmac('sha256', secret).update(`form\n${key}`).digest('base64url');
}
