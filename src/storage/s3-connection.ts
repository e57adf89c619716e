/** The client of an S3-compatible service: how many sockets it takes, how long it waits, how often it tries again. */

import { Agent } from 'node:http';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { finished, type Readable } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import { Slots } from './at-once.js';
import type { BucketLocation } from './storage-location.js';

/** Times for a service that is slow or away. */
export interface S3Patience {
  /** Until a connection is there. */
  connectMs: number;
  /** Without a byte in either direction. */
  idleMs: number;
  /** From sending a request, with its body, to the headers of the answer. */
  answerMs: number;
  /** Attempts of a request before it has failed; also of a read whose connection broke. */
  attempts: number;
  /** For all that tells whether the bucket can be written to: who asks that cannot wait. */
  checkMs: number;
}

export const S3_PATIENCE: S3Patience = {
  connectMs: 5_000,
  idleMs: 20_000,
  answerMs: 120_000,
  attempts: 5,
  checkMs: 10_000,
};

/** Requests under way at once, each with a socket. None lasts long, since none waits for a client's download: a queue always moves. */
const REQUESTS_AT_ONCE = 64;

/** Of a request, what says whether its body is to be signed. */
interface SentRequest {
  protocol: string;
  hostname: string;
  headers: Record<string, string>;
  body?: unknown;
}

/**
 * True where bytes arrive as they were sent. TLS sees to that for every byte, so that a SHA-256 of the content in the signature, one of
 * seven processor seconds of a million items, would say the same again; and nobody stands between two processes of one machine. On a line that
 * others could write to, content is signed, as AWS's own clients do. A CRC beside it would cost little, but there are services that
 * refuse any header with a checksum; each picture has one of its own, in the archive.
 */
export function isGuarded({ protocol, hostname }: { protocol: string; hostname: string }): boolean {
  return protocol === 'https:' || /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(hostname);
}

export function connectS3({ endpoint, region }: BucketLocation, patience: S3Patience): S3Client {
  const client = new S3Client({
    ...(region !== undefined && { region }),
    // Buckets as host names are for AWS; elsewhere they rarely have names in the DNS.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    retryMode: 'standard',
    maxAttempts: patience.attempts,
    requestHandler: {
      connectionTimeout: patience.connectMs,
      socketTimeout: patience.idleMs,
      requestTimeout: patience.answerMs,
      throwOnRequestTimeout: true,
      httpAgent: new ReceivingAgent({ keepAlive: true, maxSockets: REQUESTS_AT_ONCE }),
      httpsAgent: { keepAlive: true, maxSockets: REQUESTS_AT_ONCE },
    },
    // Trailing checksums are more than many compatible services understand.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Would take a new connection for each part of an upload.
    expectContinueHeader: false,
  });
  client.middlewareStack.add(
    (next) => async (step) => {
      const request = step.request as SentRequest;
      if (request.body instanceof Uint8Array && isGuarded(request)) {
        request.headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD';
      }
      return next(step);
    },
    { step: 'build', name: 'leaveBodyUnsigned' },
  );
  // The line is ours and not the agent's: the clocks of a request run while it waits for a socket.
  const slots = new Slots(REQUESTS_AT_ONCE);
  client.middlewareStack.add(
    (next) => async (request) => {
      const release = await slots.take();
      try {
        const result = await next(request);
        finished((result.response as { body: Readable }).body, release);
        return result;
      } catch (error) {
        release();
        throw error;
      }
    },
    { step: 'deserialize', priority: 'low', name: 'takeSlot' },
  );
  return client;
}

/** As much as Node reads at once. */
const RECEIVED_BYTES = 64 * 1024;

/**
 * Connections that receive into memory of their own, again and again. Node would take a new piece for each read of a socket, and
 * its HTTP parser copies what it finds there into another: the garbage collector goes through the whole heap for every few of them.
 * For HTTP alone: what TLS decrypts comes in pieces so small that this saves nothing.
 */
class ReceivingAgent extends Agent {
  createConnection(options: NetConnectOpts): Socket {
    const socket = connect({
      ...options,
      onread: {
        buffer: Buffer.allocUnsafeSlow(RECEIVED_BYTES),
        callback: (bytes, memory) => {
          // The parser, which is all that listens, has copied what it needs when this returns.
          socket.emit('data', memory.subarray(0, bytes));
          return true;
        },
      },
    });
    return socket;
  }
}
