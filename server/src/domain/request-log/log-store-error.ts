/** Thrown when the database of the request log cannot be reached. */
export class LogStoreError extends Error {
  override readonly name: string = 'LogStoreError';
}

/** Thrown when texts in object storage cannot be read; the message is shown to the reader. */
export class BodyStoreError extends LogStoreError {
  override readonly name: string = 'BodyStoreError';
}

/** Thrown when a query of the request log takes longer than its limit. */
export class LogTimeoutError extends Error {
  override readonly name = 'LogTimeoutError';
}

/** Resolves with `fallback` while the database of the request log is unavailable, for work that can do without it. */
export async function unlessAway<Result>(work: Promise<Result>, fallback: Result): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof LogStoreError || error instanceof LogTimeoutError) return fallback;
    throw error;
  }
}
