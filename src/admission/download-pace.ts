/** Downloads in flight, and how fast their clients read. */

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { AdmissionControl, Holder } from './admission-control.js';
import type { Work } from './table.js';
import type { Transfer, Transfers } from './places.js';

/**
 * Slow download: its client takes fewer bytes than this in each window although more are waiting. It may be aborted
 * when there is no place for another.
 */
const SLOW_SPEED = { bytes: 65_536, windowMs: 5_000 };

type DownloadWork = Extract<Work, 'download' | 'export'>;

class Download implements Transfer {
  /**
   * Bytes that the client took in the last window. Infinity before the first window ends, and when nothing waited for
   * the client.
   */
  recentBytes = Number.POSITIVE_INFINITY;
  readonly #response: ServerResponse;
  #taken = 0;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get isSlow(): boolean {
    return this.recentBytes < SLOW_SPEED.bytes;
  }

  endWindow(): void {
    const { bytesWritten = 0, writableLength = 0 } = this.#response.socket ?? {};
    const taken = bytesWritten - writableLength;
    const isWaiting = writableLength > 0 || this.#response.writableLength > 0;
    this.recentBytes = isWaiting ? taken - this.#taken : Number.POSITIVE_INFINITY;
    this.#taken = taken;
  }

  /** Closes the connection. The client may resume a download with a range, and must begin an export again. */
  giveWay(): void {
    this.#response.destroy();
  }
}

/** An answer whose body is a stream. */
interface Answer {
  readonly body: unknown;
  readonly res: ServerResponse;
}

/**
 * Runs `answer` in a place for a download or an export, which it keeps until the body is sent: a stream holds a file and
 * memory for as long as its client takes. @throws ApiError `rate_limited`, `unavailable`
 */
export async function withinDownload(
  ctx: Answer,
  admission: AdmissionControl,
  holder: Holder,
  work: DownloadWork,
  answer: () => Promise<void>,
): Promise<void> {
  const leave = admission.take(work, holder);
  try {
    await answer();
  } finally {
    if (ctx.body instanceof Readable) {
      ctx.body.once('close', leave);
      watchPace(admission.transfers[work], ctx.body, ctx.res);
    } else {
      leave();
    }
  }
}

/** Measures the speed of a response until its body is closed. */
function watchPace(downloads: Transfers, body: Readable, response: ServerResponse): void {
  const download = new Download(response);
  downloads.add(download);
  const clock = setInterval(() => download.endWindow(), SLOW_SPEED.windowMs);
  body.once('close', () => {
    clearInterval(clock);
    downloads.delete(download);
  });
}
