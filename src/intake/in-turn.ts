/**
 * Turns for decoded chunks. Decoders run in the few threads of the runtime, as do all file operations: many bodies at once
 * would make everybody else's files wait.
 */

import { Slots } from '../at-once.js';

/** Chunks under way from decoders to their files, of all bodies together. */
const turns = new Slots(2);

/** Passes chunks on, one in each turn. A turn ends when the next chunk is asked for. A body without a chunk takes none. */
export async function* inTurn(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    const end = await turns.take();
    try {
      yield chunk;
    } finally {
      end();
    }
  }
}
