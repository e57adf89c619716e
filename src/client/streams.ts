/** Converts items to NDJSON lines and back, with web streams. */

import type { Item, JobMeta } from '../contract/request-schema.js';

/** A body that can be sent. A stream can be sent once; a function opens a new stream for each attempt. */
export type Sendable = string | Blob | Uint8Array | ReadableStream<Uint8Array> | (() => ReadableStream<Uint8Array>);

type SomeItems = Iterable<Item> | AsyncIterable<Item>;

/** Items of a job. A function returns them for each attempt. Any other iterable than an array may be empty the second time. */
export type Items = SomeItems | (() => SomeItems);

/** The items failed, not the request: its `cause` is the error of who makes them. */
export class ItemsError extends Error {}

/** The body of a job of these items: one that can be sent again, where the items can. */
export function ndjsonBody(meta: JobMeta, items: Items): Sendable {
  if (typeof items === 'function') return () => ndjsonStream(meta, items());
  return Array.isArray(items) ? () => ndjsonStream(meta, items) : ndjsonStream(meta, items);
}

/** Characters collected before they are sent. */
const PIECE_CHARACTERS = 65_536;

/** An NDJSON body. Items are requested as the service reads them. */
function ndjsonStream(meta: JobMeta, items: SomeItems): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const next = async () => {
    try {
      return await iterator.next();
    } catch (cause) {
      throw new ItemsError('The items failed.', { cause });
    }
  };
  let lines = `${JSON.stringify(meta)}\n`;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (lines.length < PIECE_CHARACTERS) {
        const { value, done } = await next();
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
 * True when requests can stream their body: in Node.js, Deno and Bun. Browsers support it only over HTTP/2 or not at
 * all, and do not say which.
 */
export function streamsBodies(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return process?.versions?.node !== undefined;
}

/** The lines of a text without their line ends. An empty last line is left out. */
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
