/** The HTTP server: the middlewares in their order, and the time and size that a connection is given. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Router } from '@koa/router';
import Koa, { type Context } from 'koa';
import helmet from 'koa-helmet';
import type { Config } from '../config.js';
import type { Log } from '../log.js';
import { type AnswerPeople, answerErrors } from './answer-errors.js';
import { drainUnread } from './drain-request.js';
import { type ReadinessChecks, readyz } from './endpoints/health.js';
import { identifyRequest, newRequestId } from './identify-request.js';
import { refuseAmbiguous } from './refuse-ambiguous.js';
import { RequestDrain } from './request-drain.js';
import { metricsEndpoint, observeRequests, type RequestObserver, type Scrape } from './request-observer.js';
import { requestState } from './request-state.js';
import { rememberRequest } from './stray-exceptions.js';
import { answerOtherMethods, answerUnrouted, type Probes } from './routes.js';

export interface HttpServerOptions {
  /** Every route, with the probes among them. */
  createRouter: (probes: Probes) => Router;
  checks: ReadinessChecks;
  /** The counter of requests, and the text of `GET /metrics`. */
  metrics: { requests: RequestObserver; scrape: Scrape };
  log: Log;
  config: Pick<Config, 'host' | 'port' | 'trustedProxies'>;
  /** In place of the usual limits. */
  connectionLimits?: Partial<ConnectionLimits> | undefined;
  /** The middleware that answers the paths of people; it leaves others alone. */
  pages?: ((app: Koa) => Koa.Middleware) | undefined;
  /** Answers people with a page where programs get an error object. */
  answerPeople?: AnswerPeople | undefined;
}

/** Limits of a connection. Bodies have a clock of their own: see `receiveBody`. */
export interface ConnectionLimits {
  /** Request line and headers; their size, and the time from the connection's first byte. */
  headerBytes: number;
  headersMs: number;
  /** Headers and body. */
  requestMs: number;
  /** Without a byte in either direction. */
  idleMs: number;
  /** Between requests. */
  keepAliveMs: number;
  /** Pause between checks of `headersMs` and `requestMs`. */
  checkEveryMs: number;
}

const CONNECTION_LIMITS: ConnectionLimits = {
  headerBytes: 16_384,
  headersMs: 20_000,
  // At the slowest rate that is waited for, a body would take longer.
  requestMs: 1_800_000,
  idleMs: 120_000,
  keepAliveMs: 65_000,
  checkEveryMs: 5_000,
};

/** Connections that may wait to be taken: beyond it the system drops them, and clients try again after seconds. */
const BACKLOG = 4_096;

/** Time for requests under way when the service stops; uploads and downloads can be resumed. */
const DRAIN_MS = 8_000;

/** How long requests that came while the service stopped listening may take to be refused. */
const LAST_ANSWERS_MS = 500;

export class HttpServer {
  readonly #drain = new RequestDrain();
  readonly #server: Server;
  readonly #config: HttpServerOptions['config'];
  readonly #log: Log;

  constructor({ createRouter, checks, metrics, log, config, connectionLimits, ...people }: HttpServerOptions) {
    this.#config = config;
    this.#log = log;
    const ready = readyz(
      checks,
      () => !this.#drain.isOpen,
      (name, reason) => log.warn({ check: name, err: reason }, 'not ready'),
    );
    const { pages, answerPeople } = people;
    const router = createRouter({ readyz: ready, metrics: metricsEndpoint(metrics.scrape) });
    const app = new Koa();
    app.use(rememberRequest);
    app.use(identifyRequest(log, config.trustedProxies));
    app.use(
      helmet({
        contentSecurityPolicy: {
          useDefaults: false,
          directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
        },
      }),
    );
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
    this.#server = listener(app, { ...CONNECTION_LIMITS, ...connectionLimits });
  }

  /** Resolves with the port once connections are taken. */
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

  /** Refuses new requests from now on; `/readyz` says so. */
  refuse(): void {
    this.#drain.shut();
  }

  /** Refuses new requests, gives those under way some time, and closes every connection. */
  async close(): Promise<void> {
    await Promise.race([this.#drain.drain(), delay(DRAIN_MS, undefined, { ref: false })]);
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    // Whose request came with the last connections gets its answer.
    await Promise.race([closed, delay(LAST_ANSWERS_MS, undefined, { ref: false })]);
    this.#server.closeAllConnections();
    await closed;
  }
}

function listener(app: Koa, limits: ConnectionLimits): Server {
  const handle = app.callback();
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    // `refuseAmbiguous` asks for one, with an answer in the usual form.
    requireHostHeader: false,
  });
  server.setTimeout(limits.idleMs);
  server.on('request', handle);
  // An expectation that nobody here knows need not be met (RFC 9110, section 10.1.1).
  server.on('checkExpectation', handle);
  // A client that asks before it sends its body is told to go on only when nothing else is in its way.
  server.on('checkContinue', handle);
  server.on('clientError', answerUnreadable);
  return server;
}

/** For what goes wrong behind the first byte of an answer, which koa reports from both of its ends. */
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

/** Answers are about balances and jobs, which change: nobody keeps them, unless an endpoint says otherwise. */
const uncached: Koa.Middleware = (ctx, next) => {
  ctx.set('Cache-Control', 'no-store');
  return next();
};

/** Bytes that are no HTTP request, headers that are too large or too slow. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status =
    {
      HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
      ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
    }[error.code ?? ''] ?? '400 Bad Request';
  const requestId = newRequestId();
  const body = JSON.stringify({
    error: 'invalid_input',
    message: 'The request cannot be read as HTTP.',
    requestId,
  });
  const head = [
    `HTTP/1.1 ${status}`,
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function isAbort({ code }: NodeJS.ErrnoException): boolean {
  return ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(code ?? '');
}
