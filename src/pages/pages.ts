/** Entry point of the pages: everything below `/account`, and the redirect to it. */

import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import helmet from 'koa-helmet';
import type { Secret } from '../setting-values.js';
import type { ApiError } from '../contract/errors.js';
import { EventLoopTurns } from '../at-once.js';
import { Rounds } from '../rounds.js';
import { Assets } from './assets.js';
import { isForPeople, showDeadLink } from './dead-link.js';
import { FormGuard } from './form-guard.js';
import type { PageDependencies } from './page-dependencies.js';
import { pageErrors } from './page-errors.js';
import { admitSession } from './preview.js';
import { pageRoutes } from './routes.js';
import { cookieName, SESSION_COOKIE, sessions } from './session.js';
import { View } from './view.js';

const SWEEP_EVERY_MS = 3_600_000;

export interface PagesOptions {
  dependencies: Omit<PageDependencies, 'view'>;
  secrets: readonly Secret[];
}

export class Pages {
  readonly #options: PagesOptions;
  readonly #stopping = new AbortController();
  readonly #guard: FormGuard;
  readonly #assets = new Assets();
  readonly #view: View;
  readonly #sweeps: Rounds;
  /**
   * A page takes a millisecond or two of the event loop, a refused preview half of one. Many at once must not keep it from
   * the API.
   */
  readonly #turns = new EventLoopTurns();

  constructor(options: PagesOptions) {
    this.#options = options;
    const { secrets, dependencies } = options;
    const { baseUrl } = dependencies.config;
    this.#guard = new FormGuard({ secrets, baseUrl, cookie: cookieName('qrpress-form', baseUrl) });
    this.#view = new View(this.#guard, this.#assets.version);
    const { sessions: store, mails, log } = dependencies;
    this.#sweeps = new Rounds({
      work: () => Promise.all([store, mails].map((each) => each.sweep(Date.now()))),
      everyMs: SWEEP_EVERY_MS,
      onFailure: (error) => log.error({ err: error }, 'pages: what has expired was not deleted'),
    });
  }

  /** Deletes expired sessions, links and undeliverable mails, now and from then on. */
  start(): void {
    void this.#sweeps.start();
  }

  /** Ends streams that would never end by themselves, so that the server can drain. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#sweeps.close();
  }

  /** Answers a person's request for a dead link with a page. @returns false for programs */
  readonly answerError = async (ctx: Context, error: ApiError): Promise<boolean> => {
    if (!isForPeople(ctx)) {
      return false;
    }
    await headers(ctx, async () => showDeadLink(ctx, this.#view, error));
    return true;
  };

  /** Serves the paths below `/account` and redirects people from `/`. Ignores other paths. */
  middleware(app: Koa): Middleware {
    const { dependencies } = this.#options;
    const { baseUrl } = dependencies.config;
    const routes = pageRoutes({
      dependencies: { ...dependencies, view: this.#view },
      assets: this.#assets,
      guard: this.#guard,
      stopping: this.#stopping.signal,
    });
    const sessionCookie = cookieName(SESSION_COOKIE, baseUrl);
    const inOrder: Middleware[] = [
      (_ctx, next) => this.#turns.take().then(next),
      admitSession(sessionCookie),
      headers,
      sessions(app, dependencies.sessions, baseUrl),
      pageErrors(this.#view, dependencies.log),
      this.#guard.checkOrigin,
      routes.routes() as Middleware,
    ];
    return async (ctx, next) => {
      if (ctx.path === '/' && ctx.method === 'GET') {
        // A client that asks for HTML is a person. Programs get a 404.
        ctx.vary('Accept');
        if (ctx.accepts('json', 'html') === 'html') {
          ctx.redirect('/account');
          return;
        }
      }
      if (ctx.path !== '/account' && !ctx.path.startsWith('/account/')) {
        await next();
        return;
      }
      const run = async (index: number): Promise<void> => {
        await inOrder[index]?.(ctx, () => run(index + 1));
      };
      await run(0);
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
