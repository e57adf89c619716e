/**
 * Connections that receive into memory of their own, again and again. Node would take a new piece for each read of a socket, and
 * its HTTP parser copies what it finds there into another: the garbage collector goes through the whole heap for every few of them.
 */

import { Agent } from 'node:http';
import { connect, type NetConnectOpts, type Socket } from 'node:net';

/** As much as Node reads at once. */
const RECEIVED_BYTES = 64 * 1024;

/** For HTTP alone: what TLS decrypts comes in pieces so small that this saves nothing. */
export class ReceivingAgent extends Agent {
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
