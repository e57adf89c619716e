/** The error of an S3 service, fit for a log. */

/** The client's own errors can hold parts of the request's signature, so they do not reach a log. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  /** Of the answer, where there was one. */
  readonly status: number | undefined;

  constructor(message: string, status: number | undefined) {
    super(message);
    this.status = status;
  }
}

/** The result, or an `S3Error` that says what was done with which key. */
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
