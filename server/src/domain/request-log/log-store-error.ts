export class LogStoreError extends Error {
  override readonly name: string = 'LogStoreError';
}

/** Thrown when texts in object storage cannot be read. The message is shown to the user. */
export class BodyStoreError extends LogStoreError {
  override readonly name: string = 'BodyStoreError';
}

export class LogTimeoutError extends Error {
  override readonly name = 'LogTimeoutError';
}

/** Resolves to `fallback` while the request log database is unavailable. For work that does not require the log. */
export async function unlessAway<Result>(work: Promise<Result>, fallback: Result): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof LogStoreError || error instanceof LogTimeoutError) return fallback;
    throw error;
  }
}
