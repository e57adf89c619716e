/** The error of requests whose client is gone: whoever works for one stops, and nobody gets a response. */

/** The client disconnected, or its body was too slow. */
export class BodyAbortedError extends Error {
  override readonly name = 'BodyAbortedError';
}
