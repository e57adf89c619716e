/**
 * The frames in which the engine's process and its supervisor exchange messages: plain data as JSON, and its byte arrays behind
 * it as they are. All numbers are little endian.
 *
 * | Bytes | |
 * |---|---|
 * | 4 | length of the JSON |
 * | 4 | length of all byte arrays |
 * | … | JSON; a byte array is `{"$bytes": length}` |
 * | … | the byte arrays, in the order of the JSON |
 *
 * The supervisor reads frames of a process that may have been taken over: their length is bounded, and nothing of a frame is used
 * before its JSON follows a schema.
 */

import type { Writable } from 'node:stream';

const PREFIX_BYTES = 8;

/** The member that stands for a byte array. */
const BYTES = '$bytes';

/** A frame that the engine's own code does not write. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

export interface Frame {
  /** The parsed JSON, which may be anything. */
  message: unknown;
  bytes: Buffer;
}

/** Writes messages to a stream, with one system call. */
export function writeFrames(stream: Writable, messages: readonly object[]): void {
  stream.cork();
  for (const message of messages) {
    const bytes: Uint8Array[] = [];
    const json = Buffer.from(JSON.stringify(detached(message, bytes)));
    const prefix = Buffer.allocUnsafe(PREFIX_BYTES);
    prefix.writeUInt32LE(json.length, 0);
    prefix.writeUInt32LE(
      bytes.reduce((sum, { length }) => sum + length, 0),
      4,
    );
    for (const part of [prefix, json, ...bytes]) {
      stream.write(part);
    }
  }
  stream.uncork();
}

/** Cuts a stream into frames. */
export class FrameReader {
  readonly #most: { jsonBytes: number; bytes: number };
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Length of the frame that is arriving, as far as it is known. */
  #frameBytes = PREFIX_BYTES;

  /** @param most bytes of a frame's JSON, and of its byte arrays */
  constructor(most: { jsonBytes: number; bytes: number }) {
    this.#most = most;
  }

  /** The frames that are complete with `chunk`. @throws FrameError for a frame that is too long, or no JSON */
  *push(chunk: Buffer): Generator<Frame> {
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    while (this.#heldBytes >= this.#frameBytes) {
      const held = this.#held.length === 1 ? chunk : Buffer.concat(this.#held);
      this.#held = [held];
      const [jsonBytes, bytes] = [held.readUInt32LE(0), held.readUInt32LE(4)];
      if (jsonBytes > this.#most.jsonBytes || bytes > this.#most.bytes) {
        throw new FrameError(`a frame of ${jsonBytes} and ${bytes} bytes`);
      }
      const jsonEnd = PREFIX_BYTES + jsonBytes;
      this.#frameBytes = jsonEnd + bytes;
      if (held.length >= this.#frameBytes) {
        const frame = { json: held.subarray(PREFIX_BYTES, jsonEnd), bytes: held.subarray(jsonEnd, this.#frameBytes) };
        chunk = held.subarray(this.#frameBytes);
        this.#held = [chunk];
        this.#heldBytes = chunk.length;
        this.#frameBytes = PREFIX_BYTES;
        yield { message: parsed(frame.json), bytes: frame.bytes };
      }
    }
  }
}

/** `value` with its byte arrays in place. @throws FrameError when they are not those of `bytes` */
export function attached(value: unknown, bytes: Buffer): unknown {
  let end = 0;
  const attach = (each: unknown): unknown => {
    if (typeof each !== 'object' || each === null) {
      return each;
    }
    if (Array.isArray(each)) {
      return each.map(attach);
    }
    if (BYTES in each) {
      const start = end;
      end += Number(each[BYTES]);
      return bytes.subarray(start, end);
    }
    return Object.fromEntries(Object.entries(each).map(([name, member]) => [name, attach(member)]));
  };
  const whole = attach(value);
  if (end !== bytes.length) {
    throw new FrameError(`byte arrays of ${end} bytes in ${bytes.length}`);
  }
  return whole;
}

/** `value` without its byte arrays, which are appended to `bytes`. */
function detached(value: unknown, bytes: Uint8Array[]): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (value instanceof Uint8Array) {
    bytes.push(value);
    return { [BYTES]: value.length };
  }
  if (Array.isArray(value)) {
    return value.map((each) => detached(each, bytes));
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, detached(member, bytes)]));
}

function parsed(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString());
  } catch (error) {
    throw new FrameError('a frame that is no JSON', { cause: error });
  }
}
