/** The engine's end of the channel to its supervisor, which is its only connection. */

import { Socket } from 'node:net';
import { Gathered } from '../platform/concurrency.js';
import type { ProcessReply, ProcessRequest } from './engine.js';
import { attached, FrameReader, writeFrames } from './frames.js';

/** The descriptor of the channel in the process. */
export const CHANNEL = 3;

/** The supervisor sends no larger ones. */
const ANY_LENGTH = { jsonBytes: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/** Opens the channel. `onEnd` is called once, when the supervisor has closed it or is gone. Returns how replies are sent. */
export function openChannel(
  onRequest: (request: ProcessRequest) => void,
  onEnd: () => void,
): (reply: ProcessReply) => void {
  const socket = new Socket({ fd: CHANNEL, readable: true, writable: true });
  const reader = new FrameReader(ANY_LENGTH);
  socket.on('data', (chunk) => {
    for (const { message, bytes } of reader.push(chunk)) {
      onRequest(attached(message, bytes) as ProcessRequest);
    }
  });
  // A reply that cannot be sent: the service was killed, and its end is not noticed yet.
  socket.on('error', () => {});
  socket.once('close', onEnd);
  const replies = new Gathered<ProcessReply>((parts) => writeFrames(socket, parts));
  return (reply) => replies.add(reply);
}
