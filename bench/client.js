/** A client that adds the least of its own to what is measured. */

import { createReadStream, statSync } from 'node:fs';
import { request } from 'node:http';

/** Often enough to be exact to a hundredth, and seldom enough that the service does not mostly answer polls. */
const POLL_MS = 50;

/** Settings under which no benchmark meets a rate limit. */
export const UNLIMITED = { QRPRESS_RATE_LIMIT_CREATE: '1000000', QRPRESS_RATE_LIMIT_READ: '1000000' };

/** Posts the file at `bodyPath`; resolves with the 202's body. */
export function post({ url, key }, bodyPath) {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL('/api/v1/jobs', url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/x-ndjson',
        'content-length': statSync(bodyPath).size,
      },
    });
    outgoing.on('error', reject);
    outgoing.on('response', async (response) => {
      const pieces = [];
      for await (const piece of response) pieces.push(piece);
      const text = Buffer.concat(pieces).toString();
      if (response.statusCode === 202) resolve(JSON.parse(text));
      else reject(new Error(`${response.statusCode} ${text}`));
    });
    createReadStream(bodyPath, { highWaterMark: 1 << 20 }).pipe(outgoing);
  });
}

/** Polls until the job has ended, from `afterMs` on; resolves with its last state. */
export async function ended({ url, key }, job, afterMs = 0) {
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  for (;;) {
    const response = await fetch(`${url}/api/v1/jobs/${job.jobId}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const state = await response.json();
    if (state.status === 'complete' || state.status === 'failed') return state;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Downloads the archive and drops it; resolves with its bytes. */
export function download({ url }, job) {
  return new Promise((resolve, reject) => {
    const incoming = request(new URL(job.downloadUrl, url), { highWaterMark: 1 << 20 });
    incoming.on('error', reject);
    incoming.on('response', (response) => {
      let bytes = 0;
      response.on('data', (piece) => {
        bytes += piece.length;
      });
      response.on('error', reject);
      response.on('end', () =>
        bytes === Number(response.headers['content-length']) ? resolve(bytes) : reject(new Error(`${bytes} bytes`)),
      );
    });
    incoming.end();
  });
}
