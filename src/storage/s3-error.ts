/** An S3 service's error that is safe to log. */

/** The S3 client's own errors may contain parts of a request's signature, so they are never logged. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  /** HTTP status of the response, if there was one. */
  readonly status: number | undefined;

  constructor(message: string, status: number | undefined) {
    super(message);
    this.status = status;
  }
}

/** Awaits `result`. Turns a failure of the S3 client into an `S3Error` that names the action and the key. */
export async function named<T>(action: string, key: string, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && '$metadata' in error) {
      const { httpStatusCode } = error.$metadata as { httpStatusCode?: number };
      throw new S3Error(`S3: ${action} ${key}: ${error.name}: ${error.message}`, httpStatusCode);
    }
    throw error;
  }
}
