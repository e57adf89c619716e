/**
 * Redirects a browser after every form (RFC 9110, section 15.4.4): a page that answers a POST is kept for some minutes and
 * shown at an address of its own, so that a reload sends nothing again and still shows what is shown once.
 */

import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import type { KeptPageStore } from '../../accounts/kept-page-store.js';
import { newToken } from '../../accounts/secret-token.js';
import type { Throttle } from '../../accounts/people/throttle.js';
import type { Log } from '../../platform/log.js';
import { pageOfForm, seeOther } from './form.js';
import type { FormGuard } from './form-guard.js';
import { pageState } from './page-state.js';

const QUERY = 'answer';

/** A larger page is shown without. Bounds the rows that a backup reads at once. */
const MAX_BYTES = 131_072;

const CIPHER = 'aes-256-gcm';
const [NONCE_BYTES, TAG_BYTES] = [12, 16];

interface KeptPagesOptions {
  store: KeptPageStore;
  throttle: Throttle;
  guard: FormGuard;
  secrets: readonly string[];
  log: Log;
}

interface KeptPage {
  status: number;
  html: string;
}

export class KeptPages {
  readonly #options: KeptPagesOptions;

  constructor(options: KeptPagesOptions) {
    this.#options = options;
  }

  /** Use it around the pages and their errors. */
  readonly middleware: Middleware = async (ctx, next) => {
    const token = ctx.query[QUERY];
    const kept = ctx.method === 'GET' && typeof token === 'string' ? await this.#open(ctx, token) : undefined;
    if (kept !== undefined) {
      ctx.status = kept.status;
      ctx.type = 'text/html; charset=utf-8';
      ctx.set('Cache-Control', 'no-store');
      ctx.body = kept.html;
      return;
    }
    await next();
    if (this.#isAnswer(ctx)) {
      await this.#redirect(ctx, { status: ctx.status, html: ctx.body as string });
    }
  };

  /**
   * True for a page that answers a browser's form. Scripts and programs get the page itself. So does a browser that is told to
   * try again: a reload does that.
   */
  #isAnswer(ctx: Context): boolean {
    return (
      ctx.method === 'POST' &&
      // A redirect has a page too.
      (ctx.status < 300 || (ctx.status >= 400 && ctx.status < 500 && ctx.status !== 429)) &&
      ctx.response.is('html') === 'html' &&
      typeof ctx.body === 'string' &&
      ctx.get('Accept').includes('text/html') &&
      this.#options.guard.isOwnOrigin(ctx)
    );
  }

  /** Leaves the page as it is when it cannot be kept. */
  async #redirect(ctx: Context, page: KeptPage): Promise<void> {
    const { store, throttle, log } = this.#options;
    const token = newToken();
    const key = this.#key(ctx, token);
    if (key === undefined || !(await throttle.mayKeepPage(pageState(ctx).client))) {
      return;
    }
    const content = await sealed(key, page);
    if (content.length > MAX_BYTES) {
      return;
    }
    try {
      await store.keep(token, content);
    } catch (error) {
      log.warn({ err: error }, 'pages: the answer to a form was not kept');
      return;
    }
    seeOther(ctx, addressOf(ctx, token));
  }

  async #open(ctx: Context, token: string): Promise<KeptPage | undefined> {
    const key = this.#key(ctx, token);
    const content = key && (await this.#options.store.find(token));
    return key && content && (await unsealed(key, content));
  }

  /** Another browser has another key: the address of a page alone opens nothing. */
  #key(ctx: Context, token: string): Buffer | undefined {
    const browser = this.#options.guard.browserKey(ctx);
    const [secret] = this.#options.secrets;
    return browser === undefined || secret === undefined
      ? undefined
      : createHmac('sha256', secret).update(`kept page\n${token}\n${browser}`).digest();
  }
}

/** The page that the form was on: once its answer is no longer kept, that page is shown. */
function addressOf(ctx: Context, token: string): string {
  const page = pageOfForm(ctx);
  const query = new URLSearchParams(page?.search);
  query.delete('done');
  query.set(QUERY, token);
  return `${page?.pathname ?? ctx.path}?${query.toString()}`;
}

async function sealed(key: Buffer, page: KeptPage): Promise<Buffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  const packed = await promisify(deflateRaw)(JSON.stringify(page));
  return Buffer.concat([nonce, cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined when the page was kept for another browser. */
async function unsealed(key: Buffer, content: Buffer): Promise<KeptPage | undefined> {
  const decipher = createDecipheriv(CIPHER, key, content.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(content.subarray(-TAG_BYTES));
  try {
    const packed = Buffer.concat([decipher.update(content.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return JSON.parse((await promisify(inflateRaw)(packed)).toString()) as KeptPage;
  } catch {
    return undefined;
  }
}
