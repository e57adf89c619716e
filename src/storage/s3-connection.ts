/** The client of an S3-compatible service: its sockets, timeouts, retries and errors. */

import { createHash } from 'node:crypto';
import { Agent } from 'node:http';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { finished, type Readable } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import { Slots } from '../platform/concurrency.js';
import { isLoopback } from '../platform/network.js';
import type { BucketLocation } from './storage-location.js';

/** Timeouts and attempts, for a service that is slow or away. */
export interface S3Timeouts {
  /** To open a connection. */
  connectMs: number;
  /**
   * Without a byte in either direction. All attempts together end within two minutes: after that the service closes the
   * connection of the waiting client.
   */
  idleMs: number;
  /** From sending a request, with its body, to the headers of the response. */
  responseMs: number;
  /** Attempts before a request fails; also per piece of a read whose connection broke. */
  attempts: number;
  /** For the whole check that the bucket is writable, because its caller cannot wait. */
  checkMs: number;
}

export const S3_TIMEOUTS: S3Timeouts = {
  connectMs: 5_000,
  idleMs: 15_000,
  responseMs: 120_000,
  attempts: 5,
  checkMs: 10_000,
};

/**
 * Concurrent requests, each with a socket. No request waits for a client's download, so none takes long and the line
 * always moves.
 */
const MAX_CONCURRENT_REQUESTS = 64;

/** The parts of a request that decide whether its body is signed. */
interface SentRequest {
  protocol: string;
  hostname: string;
  headers: Record<string, string>;
  body?: unknown;
}

/**
 * True when bytes cannot be changed on their way. TLS protects every byte already, and nobody stands between two
 * processes of one machine. There the signature leaves out the SHA-256 of the content, which would cost one of seven
 * processor seconds of a million items.
 * On any other connection the content is signed, as AWS's own clients do. A CRC header would be cheap, but some
 * services refuse any checksum header; in the archive each picture has a CRC of its own.
 */
export function isTamperProof({ protocol, hostname }: { protocol: string; hostname: string }): boolean {
  return protocol === 'https:' || isLoopback(hostname);
}

export function connectS3({ endpoint, region }: BucketLocation, timeouts: S3Timeouts): S3Client {
  const client = new S3Client({
    ...(region !== undefined && { region }),
    // Bucket names as host names are for AWS. Other services rarely have DNS names for buckets.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    retryMode: 'standard',
    maxAttempts: timeouts.attempts,
    requestHandler: {
      connectionTimeout: timeouts.connectMs,
      socketTimeout: timeouts.idleMs,
      requestTimeout: timeouts.responseMs,
      throwOnRequestTimeout: true,
      httpAgent: new ReceivingAgent({ keepAlive: true, maxSockets: MAX_CONCURRENT_REQUESTS }),
      httpsAgent: { keepAlive: true, maxSockets: MAX_CONCURRENT_REQUESTS },
    },
    // Many compatible services do not support trailing checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // An `Expect` header would open a new connection for each part of an upload.
    expectContinueHeader: false,
  });
  client.middlewareStack.add(
    (next) => async (step) => {
      const request = step.request as SentRequest;
      if (request.body instanceof Uint8Array && isTamperProof(request)) {
        request.headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD';
      }
      return next(step);
    },
    { step: 'build', name: 'leaveBodyUnsigned' },
  );
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (step) => {
        if (commandName === 'DeleteObjectsCommand') {
          nameByMd5(step.request as SentRequest);
        }
        return next(step);
      },
    // Behind the checksum that the client sends by default.
    { step: 'build', priority: 'low', name: 'nameByMd5' },
  );
  limitRequests(client);
  return client;
}

/**
 * Names the content of a deletion of many objects by its MD5. Amazon and all compatible services take that; the client's CRC-32
 * is refused by those that have no other checksum.
 */
function nameByMd5({ headers, body }: SentRequest): void {
  for (const name of Object.keys(headers).filter((each) => /^x-amz-(?:sdk-)?checksum-/.test(each))) {
    delete headers[name];
  }
  headers['content-md5'] = createHash('md5')
    .update(body as string | Uint8Array)
    .digest('base64');
}

/**
 * Bounds the concurrent requests. Requests wait here rather than in the agent: in the agent their timeouts would run while they
 * wait for a socket. One that is aborted waits no longer.
 */
function limitRequests(client: S3Client): void {
  const slots = new Slots(MAX_CONCURRENT_REQUESTS);
  const handler = client.config.requestHandler;
  const handle = handler.handle.bind(handler);
  handler.handle = async (request, options) => {
    const release = await slots.take('', () => (options as { abortSignal?: AbortSignal } | undefined)?.abortSignal);
    try {
      const result = await handle(request, options);
      finished(result.response.body as Readable, release);
      return result;
    } catch (error) {
      release();
      throw error;
    }
  };
}

/** As much as Node.js reads at once. */
const RECEIVE_BUFFER_BYTES = 64 * 1024;

/**
 * An HTTP agent whose sockets receive into one reused buffer each. By default Node.js allocates a buffer for each read
 * of a socket and its HTTP parser copies the content into another; every few of them make the garbage collector scan
 * the whole heap. Objects of 100 MB take a quarter less time to read this way.
 * For HTTP only: TLS decrypts in pieces so small that this would save nothing.
 */
class ReceivingAgent extends Agent {
  createConnection(options: NetConnectOpts): Socket {
    const socket = connect({
      ...options,
      onread: {
        buffer: Buffer.allocUnsafeSlow(RECEIVE_BUFFER_BYTES),
        callback: (bytes, memory) => {
          // The parser is the only listener. It has copied what it needs when `emit` returns.
          socket.emit('data', memory.subarray(0, bytes));
          return true;
        },
      },
    });
    return socket;
  }
}

/** The S3 client's own errors may contain parts of a request's signature, so they are never logged. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  /** HTTP status of the response, if there was one. */
  readonly status: number | undefined;
  /** The code of a disk that fails: it may pass. An object that is missing stays missing. */
  readonly code: 'EIO' | 'ENOENT';

  constructor(message: string, status: number | undefined) {
    super(message);
    this.status = status;
    this.code = status === 404 ? 'ENOENT' : 'EIO';
  }
}

/** Awaits `result`. Turns a failure of the S3 client into an `S3Error` that names the action and the key. */
export async function named<T>(action: string, key: string, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && '$metadata' in error) {
      const { httpStatusCode } = error.$metadata as { httpStatusCode?: number };
      throw new S3Error(`S3: ${action} ${key}: ${error.name}: ${error.message}`, httpStatusCode);
    }
    throw error;
  }
}
