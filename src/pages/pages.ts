/** The pages' door: everything below `/account`, and the way there. */

import type Koa from 'koa';
import type { Middleware } from 'koa';
import helmet from 'koa-helmet';
import type { Secret } from '../config.js';
import { Assets } from './assets.js';
import { FormGuard } from './form-guard.js';
import { pageErrors } from './page-errors.js';
import type { PageRooms } from './page-rooms.js';
import { pageRoutes } from './routes.js';
import { cookieName, sessions } from './session.js';
import { View } from './view.js';

const SWEEP_EVERY_MS = 3_600_000;

export interface PagesOptions {
  rooms: Omit<PageRooms, 'view'>;
  secrets: readonly Secret[];
}

export class Pages {
  readonly #options: PagesOptions;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PagesOptions) {
    this.#options = options;
  }

  /** Begins to delete sessions, links and undeliverable mails that have expired. */
  start(): void {
    const { sessions: store, mails, log } = this.#options.rooms;
    this.#timer = setInterval(() => {
      Promise.all([store, mails].map((each) => each.sweep(Date.now()))).catch((error: unknown) =>
        log.error({ err: error }, 'pages: what has expired was not deleted'),
      );
    }, SWEEP_EVERY_MS).unref();
  }

  /** Ends what never ends of its own, so that the server can drain. */
  close(): void {
    clearInterval(this.#timer);
    this.#stopping.abort();
  }

  /** Answers the paths below `/account`, leads people there from `/`, and leaves other paths alone. */
  middleware(app: Koa): Middleware {
    const { rooms, secrets } = this.#options;
    const { baseUrl } = rooms.config;
    const guard = new FormGuard({ secrets, baseUrl, cookie: cookieName('qrpress-form', baseUrl) });
    const assets = new Assets();
    const view = new View(guard, assets.version);
    const routes = pageRoutes({ rooms: { ...rooms, view }, assets, guard, stopping: this.#stopping.signal });
    const inOrder: Middleware[] = [
      headers,
      sessions(app, rooms.sessions, baseUrl),
      pageErrors(view, rooms.log),
      guard.checkOrigin,
      routes.routes() as Middleware,
    ];
    return async (ctx, next) => {
      if (ctx.path === '/' && ctx.method === 'GET') {
        // Who asks for a page is a person; to programs there is nothing.
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

/** Nothing from elsewhere, nothing inline, no frames; a form's origin is told to this service alone. */
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
  // Without any referrer a browser would not tell a form's origin either.
  referrerPolicy: { policy: 'same-origin' },
});
