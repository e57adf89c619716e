/** Downloads on their way out of this process, and how fast their clients take them. */

import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** A download whose client takes fewer bytes in each of these windows, while more are there, gives way to others when there is no place for them. */
const GIVES_WAY = { bytes: 65_536, windowMs: 5_000 };

class Download {
  /** Bytes that the client took in the last window; infinite before its end, and where nothing waited for the client. */
  recentBytes = Number.POSITIVE_INFINITY;
  readonly #response: ServerResponse;
  #taken = 0;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Ends a window. */
  turn(): void {
    const { bytesWritten = 0, writableLength = 0 } = this.#response.socket ?? {};
    const taken = bytesWritten - writableLength;
    const isWaiting = writableLength > 0 || this.#response.writableLength > 0;
    this.recentBytes = isWaiting ? taken - this.#taken : Number.POSITIVE_INFINITY;
    this.#taken = taken;
  }

  /** Closes the connection: the client may resume with a range. */
  end(): void {
    downloads.delete(this);
    this.#response.destroy();
  }
}

const downloads = new Set<Download>();

/** Watches the pace of an answer until its body is closed. */
export function watchPace(body: Readable, response: ServerResponse): void {
  const download = new Download(response);
  downloads.add(download);
  const clock = setInterval(() => download.turn(), GIVES_WAY.windowMs);
  body.once('close', () => {
    clearInterval(clock);
    downloads.delete(download);
  });
}

/** Ends the slowest download, where one is slow enough to give way; false where none is. */
export function endSlowestDownload(): boolean {
  const [slowest] = [...downloads]
    .filter(({ recentBytes }) => recentBytes < GIVES_WAY.bytes)
    .toSorted((one, other) => one.recentBytes - other.recentBytes);
  slowest?.end();
  return slowest !== undefined;
}
