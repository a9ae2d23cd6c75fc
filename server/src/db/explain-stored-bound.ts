import { type ExceededBound, StoredBoundError } from '#errors/console-error.ts';

/** SQLSTATE raised by the triggers of `stored_bounds`. */
const boundExceeded = 'SB001';

/** Returns the error for the caller if the cause is an exceeded bound, otherwise the error itself. */
export function explainStoredBound(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, detail } = cause as { code?: unknown; detail?: unknown };
    // safe because only the triggers use this code, and they write the detail as JSON
    if (code === boundExceeded) return new StoredBoundError(JSON.parse(String(detail)) as ExceededBound);
  }
  return error;
}
