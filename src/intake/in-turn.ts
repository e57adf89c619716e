/**
 * Turns for decoded chunks. Decoders run in the few threads of the runtime, as do all file operations: many bodies at once
 * would make everybody else's files wait.
 */

/** Chunks under way from decoders to their files, of all bodies together. */
const TURNS = 2;

const waiting: (() => void)[] = [];
let free = TURNS;

/** Passes chunks on, one in each turn. A turn ends when the next chunk is asked for. A body without a chunk takes none. */
export async function* inTurn(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    await begin();
    try {
      yield chunk;
    } finally {
      end();
    }
  }
}

async function begin(): Promise<void> {
  if (free === 0) {
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    free -= 1;
  }
}

function end(): void {
  const next = waiting.shift();
  if (next === undefined) {
    free += 1;
  } else {
    next();
  }
}
