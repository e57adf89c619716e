/** Entry point of the pages: the front page, and everything below `/account`. */

import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import helmet from 'koa-helmet';
import { forgetAddresses } from '../accounts/audit-store.js';
import { deleteExpiredOfAccounts } from '../accounts/expiry.js';
import { HOUR_MS } from '../contract/limits.js';
import { sweepTime } from '../database/clock.js';
import type { ApiError } from '../contract/errors.js';
import { EventLoopTurns } from '../platform/concurrency.js';
import { Rounds } from '../platform/rounds.js';
import { Assets } from './shell/assets.js';
import { readBrand } from '../config/brand.js';
import { FormGuard } from './shell/form-guard.js';
import type { PageDependencies } from './shell/page-dependencies.js';
import { showFront } from './front/front.js';
import { KeptPages } from './shell/kept-pages.js';
import { isForPeople, pageErrors, showDeadLink } from './shell/page-errors.js';
import { admitSession } from './studio/preview.js';
import { composed, pageRoutes } from './routes.js';
import { cookieName, SESSION_COOKIE, sessions } from './shell/session.js';
import { View } from './shell/view.js';

export class Pages {
  readonly #dependencies: PageDependencies;
  readonly #guard: FormGuard;
  readonly #assets: Assets;
  readonly #keptPages: KeptPages;
  readonly #sweeps: Rounds;
  /**
   * A page takes a millisecond or two of the event loop, a refused preview half of one. Many at once must not keep it from
   * the API.
   */
  readonly #turns = new EventLoopTurns();

  /** `secrets` sign the tokens of forms. */
  constructor(parts: Omit<PageDependencies, 'view'>, secrets: readonly string[]) {
    const { baseUrl, mail } = parts.config;
    const brand = readBrand(parts.config);
    this.#assets = new Assets(brand);
    this.#guard = new FormGuard({ secrets, baseUrl, cookie: cookieName('qrpress-form', baseUrl) });
    const view = new View(this.#guard, this.#assets.version, brand, mail.smtpUrl !== undefined);
    this.#dependencies = { ...parts, view };
    const { database, keptPages, throttle, log } = this.#dependencies;
    this.#keptPages = new KeptPages({ store: keptPages, throttle, guard: this.#guard, secrets, log });
    let lastForgotten = 0;
    this.#sweeps = new Rounds({
      work: async () => {
        const time = await sweepTime(database);
        await deleteExpiredOfAccounts(database, time);
        lastForgotten = await forgetAddresses(database, time, lastForgotten);
      },
      everyMs: HOUR_MS,
      onFailure: (error) => log.error({ err: error }, 'pages: what has expired was not deleted'),
    });
  }

  /** Deletes what has expired, now and from then on. */
  start(): void {
    void this.#sweeps.start();
  }

  close(): Promise<void> {
    return this.#sweeps.close();
  }

  /** Answers a person's request for a dead link with a page. @returns false for programs */
  readonly answerError = async (ctx: Context, error: ApiError): Promise<boolean> => {
    if (!isForPeople(ctx)) {
      return false;
    }
    await headers(ctx, async () => showDeadLink(ctx, this.#dependencies.view, error));
    return true;
  };

  /** Serves the paths below `/account`, and `/` to all who take HTML. Ignores other paths. */
  middleware(app: Koa): Middleware {
    const dependencies = this.#dependencies;
    const { baseUrl } = dependencies.config;
    const routes = pageRoutes({
      dependencies,
      assets: this.#assets,
      guard: this.#guard,
    });
    const sessionCookie = cookieName(SESSION_COOKIE, baseUrl);
    const run = composed<Context>(
      (_ctx, next) => this.#turns.take().then(next),
      admitSession(sessionCookie),
      headers,
      sessions(app, dependencies.sessions, baseUrl),
      this.#keptPages.middleware,
      pageErrors(dependencies.view, dependencies.log),
      this.#guard.checkOrigin,
      async (ctx, next) => (ctx.path === '/' ? showFront(ctx, dependencies) : next()),
      routes.routes() as Middleware,
    );
    return async (ctx, next) => {
      if (ctx.path === '/' && ['GET', 'HEAD'].includes(ctx.method)) {
        // People, and checks whether the site is up, which name no type. A program that asks for JSON alone gets a 404.
        ctx.vary('Accept');
        if (ctx.accepts('html', 'json') === 'html') {
          await run(ctx, () => Promise.resolve());
          return;
        }
      }
      if (ctx.path !== '/account' && !ctx.path.startsWith('/account/')) {
        await next();
        return;
      }
      await run(ctx, () => Promise.resolve());
    };
  }
}

/** No external content, nothing inline, no frames. A form's origin is sent only to this service. */
const headers: Middleware = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      fontSrc: ["'self'"],
      imgSrc: ["'self'", 'blob:', 'data:'],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // With `no-referrer`, browsers would not send a form's origin either.
  referrerPolicy: { policy: 'same-origin' },
});
