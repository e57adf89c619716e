/** Lets a form through that a page of this service sent: its origin is right, and it carries the token of the browser's own cookie. */

import { createHmac, randomBytes } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { isEqualSecret } from '../account/secret-token.js';
import { AccountError } from '../account/account-error.js';
import type { Secret } from '../setting-values.js';
import { formOf } from './form.js';
import { sessionKey } from './session.js';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface FormGuardOptions {
  secrets: readonly Secret[];
  baseUrl: string;
  /** Name of the cookie that ties a form to a browser nobody is signed in with. */
  cookie: string;
}

export class FormGuard {
  readonly #options: FormGuardOptions;

  /** True where the service is reached over HTTPS alone. */
  readonly #isSecure: boolean;

  constructor(options: FormGuardOptions) {
    this.#options = options;
    this.#isSecure = options.baseUrl.startsWith('https:');
  }

  /** To be used before the body is read: a form from elsewhere is refused unseen. */
  readonly checkOrigin: Middleware = async (ctx, next) => {
    if (!SAFE.has(ctx.method) && !this.#isOwnOrigin(ctx)) {
      throw new AccountError('forbidden', 'The form was sent from another site.');
    }
    await next();
  };

  /** To be used when the form is read. */
  readonly checkToken: Middleware = async (ctx, next) => {
    if (!SAFE.has(ctx.method)) {
      this.requireToken(ctx, formOf(ctx).get('csrf') || ctx.get('X-Form-Token'));
    }
    await next();
  };

  /** @throws AccountError `forbidden` unless `given` is the token of the browser's cookie */
  requireToken(ctx: Context, given: string): void {
    const key = sessionKey(ctx) ?? ctx.cookies.get(this.#options.cookie);
    const right =
      key !== undefined && this.#options.secrets.some((secret) => isEqualSecret(tokenOf(secret, key), given));
    if (!right) {
      throw new AccountError('forbidden', 'The form has expired. Go back, reload the page, and send it again.');
    }
  }

  /** The token for the forms of a page; gives the browser a cookie where it has none to tie it to. */
  token(ctx: Context): string {
    const [secret] = this.#options.secrets;
    if (secret === undefined) {
      throw new Error('there is no secret to sign with');
    }
    let key = sessionKey(ctx) ?? ctx.cookies.get(this.#options.cookie);
    if (key === undefined) {
      key = randomBytes(16).toString('base64url');
      // Lax, as who follows a mailed link comes from another site: a strict cookie would be made anew under the forms
      // of other pages. What other sites send is told by its origin, and carries no cookie either way.
      ctx.cookies.set(this.#options.cookie, key, { httpOnly: true, sameSite: 'lax', signed: false, path: '/' });
    }
    return tokenOf(secret, key);
  }

  /** Browsers name the origin of every form they send. The service may be reached by several names of its own. */
  #isOwnOrigin(ctx: Context): boolean {
    const origin = ctx.get('Origin');
    if (origin === this.#options.baseUrl) {
      return true;
    }
    if (!URL.canParse(origin)) {
      return false;
    }
    const { host, protocol } = new URL(origin);
    // A cookie that came over plain HTTP may have been written on the way, by anybody.
    return host === ctx.host && (protocol === 'https:' || (protocol === 'http:' && !this.#isSecure));
  }
}

function tokenOf(secret: Secret, key: string): string {
  // The prefix keeps it apart from the signatures of links.
  return createHmac('sha256', secret.value).update(`form\n${key}`).digest('base64url');
}
