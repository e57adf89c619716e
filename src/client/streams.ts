/** Items to lines and back, as streams that every runtime has. */

import type { Item, JobMeta } from '../contract/request-schema.js';

/** What can be sent: a stream once, a function that opens one as often as it takes. */
export type Sendable = string | Blob | ReadableStream<Uint8Array> | (() => ReadableStream<Uint8Array>);

/** Characters that are gathered before they are sent. */
const PIECE_CHARACTERS = 65_536;

/** An NDJSON body; items are asked for as the service takes them. */
export function ndjsonStream(meta: JobMeta, items: Iterable<Item> | AsyncIterable<Item>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let lines = `${JSON.stringify(meta)}\n`;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (lines.length < PIECE_CHARACTERS) {
        const { value, done } = await iterator.next();
        if (done === true) {
          controller.enqueue(encoder.encode(lines));
          controller.close();
          return;
        }
        lines += `${JSON.stringify(value)}\n`;
      }
      controller.enqueue(encoder.encode(lines));
      lines = '';
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/**
 * True where a request can be sent as a stream: in Node.js, Deno and Bun. Browsers take streams over HTTP/2 alone, or not at
 * all, and do not say which.
 */
export function streamsBodies(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return process?.versions?.node !== undefined;
}

/** The lines of a text, without their ends; an empty one at the end is none. */
export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
      if (done) {
        break;
      }
    }
    if (rest !== '') {
      yield rest;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
