/** The HTTP server: the order of the middlewares, and the limits of a connection. */

import { AsyncResource } from 'node:async_hooks';
import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Router } from '@koa/router';
import Koa, { type Context } from 'koa';
import helmet from 'koa-helmet';
import { openFilesLimit } from '../admission/machine.js';
import type { Config } from '../config/config.js';
import { EventLoopTurns } from '../platform/concurrency.js';
import type { Log } from '../platform/log.js';
import { type AnswerPeople, answerErrors, rememberRequest } from './answer-errors.js';
import type { ReadinessChecks } from '../observability/readiness.js';
import { readyz } from './endpoints/health.js';
import { identifyRequest, newRequestId } from './identify-request.js';
import { refuseAmbiguous } from './refuse-ambiguous.js';
import { RequestDrain } from './request-drain.js';
import type { RequestObserver, Scrape } from '../observability/metrics.js';
import { metricsEndpoint, observeRequests } from './request-observer.js';
import { requestState } from './request-state.js';
import { answerOtherMethods, answerUnrouted, isAwaited, type Probes } from './routes.js';
import { drainUnread } from './unread-body.js';

interface HttpServerOptions {
  /** Creates the router with every route, including the probes. */
  createRouter: (probes: Probes) => Router;
  checks: ReadinessChecks;
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

/** Limits of a connection. For the speed of bodies see `request-body.ts`. */
export interface ConnectionLimits {
  /** At once. Others are closed unanswered. */
  connections: number;
  /** Request line and headers: their size, and the time from the connection's first byte. */
  headerBytes: number;
  headersMs: number;
  /** Headers and body. */
  requestMs: number;
  /** Without a byte in either direction, while the service does not work on a request. */
  idleMs: number;
  /** Between requests. */
  keepAliveMs: number;
  /** Interval between checks of `headersMs` and `requestMs`. */
  checkEveryMs: number;
}

const CONNECTION_LIMITS: ConnectionLimits = {
  // The rest is for files: jobs fail that cannot open theirs.
  connections: Math.floor(openFilesLimit() / 2),
  headerBytes: 16_384,
  headersMs: 20_000,
  // At the minimum speed a large body would take longer.
  requestMs: 1_800_000,
  idleMs: 120_000,
  keepAliveMs: 65_000,
  checkEveryMs: 5_000,
};

/** Connections that may wait to be accepted. Beyond it the system drops them, and clients retry after seconds. */
const BACKLOG = 4_096;

/**
 * Requests of one connection that may wait for their answers. A client may send a thousand in one packet. The connection is
 * closed after the answers to these.
 */
const MAX_UNANSWERED = 16;

/** Parts that may wait for the end of one response before Node.js warns of a leak. */
const MAX_CLOSE_LISTENERS = 20;

/** Time for requests in flight when the service stops. Uploads and downloads can be resumed. */
const DRAIN_MS = 8_000;

/** For answers that do not pass helmet, with its value. */
const HSTS = 'max-age=31536000; includeSubDomains';

/** Time to refuse the requests that arrive while the service stops listening. */
const LAST_REFUSALS_MS = 500;

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
    app.use(identifyRequest(log, config.trustedProxies));
    app.use(rememberRequest(isAwaited));
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
    this.#server = listener(app, { ...CONNECTION_LIMITS, ...connectionLimits });
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
    // Accepts the connections that wait. Timers, which lead here, run before them, and closing would reset them.
    await nextTurn();
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    // Answers requests that came with the last connections.
    await Promise.race([closed, delay(LAST_REFUSALS_MS, undefined, { ref: false })]);
    this.#server.closeAllConnections();
    await closed;
  }
}

function listener(app: Koa, limits: ConnectionLimits): Server {
  const handle = oneAfterTheOther(app.callback());
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    // `refuseAmbiguous` requires it and answers in the usual form.
    requireHostHeader: false,
  });
  server.setTimeout(limits.idleMs);
  server.maxConnections = limits.connections;
  server.on('connection', EventLoopTurns.leaveToClient);
  server.on('request', handle);
  // Unknown expectations may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', handle);
  // `100 Continue` is sent only when the body is actually read.
  server.on('checkContinue', handle);
  server.on('clientError', answerUnreadable);
  return server;
}

/**
 * Begins a request once the one before it on its connection is answered. A response that waits for its turn is not told
 * when the connection breaks: a download would hold its file and its place for ever. Ignores requests behind the one whose
 * answer ends the connection (RFC 9112, section 9.6).
 */
function oneAfterTheOther(handle: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, { begin: (() => void)[]; isFull: boolean }>();
  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket) ?? { begin: [], isFull: false };
    lines.set(socket, line);
    if (line.isFull) {
      return;
    }
    // Ten and more parts wait for the end of some responses; Node.js warns from the eleventh on.
    response.setMaxListeners(MAX_CLOSE_LISTENERS);
    // A client is idle when it neither sends nor reads. A client waiting for our answer is not idle.
    response.on('timeout', () => {
      if (!request.complete || response.headersSent) {
        socket.destroy();
      }
    });
    const begin = () => {
      response.once('close', () => {
        line.begin.shift();
        if (socket.writable) {
          line.begin[0]?.();
        }
      });
      responses.set(socket, response);
      handle(request, response);
    };
    const isFirst = line.begin.length === 0;
    // A request that waits begins in its own context, not in that of the one before it. To keep a context takes half as long as
    // a poll.
    line.begin.push(isFirst ? begin : AsyncResource.bind(begin));
    line.isFull = line.begin.length === MAX_UNANSWERED;
    response.shouldKeepAlive &&= !line.isFull;
    if (isFirst) {
      begin();
    }
  };
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

/** The response that each connection sends, or sent last. */
const responses = new WeakMap<Socket, ServerResponse>();

/** Answers bytes that are not an HTTP request, and headers that are too large or too slow. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const response = responses.get(socket);
  if (response?.headersSent === true && !response.writableFinished) {
    // The client would take another answer for a part of this one's body. What is written of it still arrives.
    socket.end();
    return;
  }
  const status =
    {
      HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
      ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
    }[error.code ?? ''] ?? '400 Bad Request';
  const requestId = newRequestId();
  const message = 'The request cannot be read as HTTP';
  const body = JSON.stringify({
    error: 'invalid_input',
    message: `${message}.`,
    requestId,
    issues: [{ path: '', code: 'invalid_header', message }],
    issueCount: 1,
  });
  const head = [
    `HTTP/1.1 ${status}`,
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    "Content-Security-Policy: default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    'Referrer-Policy: no-referrer',
    `Strict-Transport-Security: ${HSTS}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function isAbort({ code }: NodeJS.ErrnoException): boolean {
  return ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(code ?? '');
}
