/** The HTTP server: the order of the middlewares, its start and its end. */

import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Router } from '@koa/router';
import Koa, { type Context } from 'koa';
import helmet from 'koa-helmet';
import type { Config } from '../config/config.js';
import type { Log } from '../platform/log.js';
import { type AnswerPeople, answerErrors } from './answer-errors.js';
import type { Examine } from '../observability/readiness.js';
import { readyz } from './endpoints/health.js';
import { type ConnectionLimits, createListener } from './listener.js';
import { identifyRequest } from './identify-request.js';
import { refuseAmbiguous } from './refuse-ambiguous.js';
import { RequestDrain } from './request-drain.js';
import type { RequestObserver, Scrape } from '../observability/metrics.js';
import { metricsEndpoint, observeRequests } from './request-observer.js';
import { requestState } from './request-state.js';
import { answerOtherMethods, answerUnrouted, type Probes } from './routes.js';
import { drainUnread } from './unread-body.js';

interface HttpServerOptions {
  /** Creates the router with every route, including the probes. */
  createRouter: (probes: Probes) => Router;
  examine: Examine;
  /** Counts requests, and provides the text of `GET /metrics`. */
  metrics: { requests: RequestObserver; scrape: Scrape };
  log: Log;
  config: Pick<Config, 'host' | 'port' | 'trustedProxies'>;
  /** Replaces the default limits. */
  connectionLimits?: Partial<ConnectionLimits> | undefined;
  /** Middleware for the pages of people. It ignores other paths. */
  pages?: ((app: Koa) => Koa.Middleware) | undefined;
  /** Answers a person with a page where a program gets an error object. */
  answerPeople?: AnswerPeople | undefined;
}

/** Connections that may wait to be accepted. Beyond it the system drops them, and clients retry after seconds. */
const BACKLOG = 4_096;

/** Time for requests in flight when the service stops. Uploads and downloads can be resumed. */
const DRAIN_MS = 8_000;

/** Time to refuse the requests that arrive while the service stops listening: until none has come for a while, and at most. */
const [QUIET_MS, LAST_REFUSALS_MS] = [500, 3_000];

export class HttpServer {
  readonly #drain = new RequestDrain();
  readonly #server: Server;
  readonly #config: HttpServerOptions['config'];
  readonly #log: Log;

  constructor({ createRouter, examine, metrics, log, config, connectionLimits, ...people }: HttpServerOptions) {
    this.#config = config;
    this.#log = log;
    const ready = readyz(examine, () => !this.#drain.isOpen);
    const { pages, answerPeople } = people;
    const router = createRouter({ readyz: ready, metrics: metricsEndpoint(metrics.scrape) });
    const app = new Koa();
    app.use(identifyRequest(log, config.trustedProxies));
    const contentSecurityPolicy = {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], frameAncestors: ["'none'"] },
    };
    app.use(alwaysAlike(helmet({ contentSecurityPolicy })));
    app.use(observeRequests(metrics.requests));
    app.use(drainUnread);
    app.use(answerErrors(log, answerPeople));
    app.use(refuseAmbiguous);
    app.use(this.#drain.pass);
    app.use(uncached);
    app.use(answerOtherMethods(router));
    app.use(router.routes());
    if (pages !== undefined) {
      app.use(pages(app));
    }
    app.use(answerUnrouted);
    app.on('error', logOnce(log));
    this.#server = createListener(app.callback(), connectionLimits);
  }

  /** Resolves with the port once the server accepts connections. */
  async listen(): Promise<number> {
    const { host, port } = this.#config;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, BACKLOG, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    const { address, port: taken } = this.#server.address() as AddressInfo;
    this.#log.info({ address, port: taken }, 'listening');
    return taken;
  }

  /** Refuses new requests from now on; `/readyz` reports it. */
  refuse(): void {
    this.#drain.shut();
  }

  /** Refuses new requests, gives those in flight some time, and closes every connection. */
  async close(): Promise<void> {
    await Promise.race([this.#drain.drain(), delay(DRAIN_MS, undefined, { ref: false })]);
    let arrivals = 0;
    const count = () => {
      arrivals += 1;
    };
    this.#server.on('connection', count).on('request', count);
    const deadline = performance.now() + LAST_REFUSALS_MS;
    const whileArriving = async (wait: () => Promise<void>) => {
      for (let before = -1; before < arrivals && performance.now() < deadline; ) {
        before = arrivals;
        await wait();
      }
    };
    // Accepts the connections that wait in the system, which closing would reset: one in each turn of the event loop. This turn may
    // be past the place where it accepts.
    await nextTurn();
    await whileArriving(nextTurn);
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    // Answers requests that come with the last connections.
    await whileArriving(() => Promise.race([closed, delay(QUIET_MS, undefined, { ref: false })]));
    this.#server.closeAllConnections();
    await closed;
  }
}

/** Logs errors after the first byte of a response. Koa reports them twice. */
function logOnce(log: Log): (error: NodeJS.ErrnoException, ctx: Context) => void {
  const logged = new WeakSet<Error>();
  return (error, ctx) => {
    if (!logged.has(error)) {
      logged.add(error);
      const { requestId } = requestState(ctx);
      log[isAbort(error) ? 'debug' : 'error']({ requestId, err: error }, 'answer cut short');
    }
  };
}

/** Asks a middleware once for its headers, which are the same for every answer. It sets them before it returns. */
function alwaysAlike(setHeaders: Koa.Middleware): Koa.Middleware {
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  void setHeaders({ req: res.req, res } as Context, async () => undefined);
  const headers = Object.entries(res.getHeaders() as Record<string, string>);
  return (ctx, next) => {
    for (const [name, value] of headers) {
      ctx.res.setHeader(name, value);
    }
    return next();
  };
}

/** Responses are about balances and jobs, which change: not cached unless an endpoint says otherwise. */
const uncached: Koa.Middleware = (ctx, next) => {
  ctx.set('Cache-Control', 'no-store');
  return next();
};

function isAbort({ code }: NodeJS.ErrnoException): boolean {
  return ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(code ?? '');
}
