/** Connections below HTTP's semantics: their limits, the order of their requests, and answers to what is no request. */

import { AsyncResource } from 'node:async_hooks';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { openFilesLimit } from '../admission/machine.js';
import { EventLoopTurns } from '../platform/concurrency.js';
import { newRequestId } from './identify-request.js';

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

/**
 * Requests of one connection that may wait for their answers. A client may send a thousand in one packet. The connection is
 * closed after the answers to these.
 */
const MAX_UNANSWERED = 16;

/** Parts that may wait for the end of one response before Node.js warns of a leak. */
const MAX_CLOSE_LISTENERS = 20;

/** For answers that do not pass helmet, with its value. */
const HSTS = 'max-age=31536000; includeSubDomains';

/** A server that does not listen yet. @param given replace the default limits */
export function createListener(answer: RequestListener, given: Partial<ConnectionLimits> = {}): Server {
  const limits = { ...CONNECTION_LIMITS, ...given };
  const handle = oneAfterTheOther(answer);
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
    // A request that waits begins in its own context, not in that of the one before it: its spans belong to no other request.
    line.begin.push(isFirst ? begin : AsyncResource.bind(begin));
    line.isFull = line.begin.length === MAX_UNANSWERED;
    response.shouldKeepAlive &&= !line.isFull;
    if (isFirst) {
      begin();
    }
  };
}

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
