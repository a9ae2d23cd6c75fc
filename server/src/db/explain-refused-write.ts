import { ConsoleError, type ExceededBound, StoredBoundError } from '#errors/console-error.ts';

/** SQLSTATE raised by triggers that enforce `stored_bounds`. */
const boundExceeded = 'SB001';
/** SQLSTATE raised by triggers that protect `managed_objects`. */
const isManaged = 'MF001';

/**
 * Explains the error if a trigger rejected the write, either because a bound is exceeded or because a configuration
 * file manages the object. Returns any other error unchanged.
 */
export function explainRefusedWrite(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, detail } = cause as { code?: unknown; detail?: unknown };
    // safe because only the triggers use this code, and they write the detail as JSON
    if (code === boundExceeded) return new StoredBoundError(JSON.parse(String(detail)) as ExceededBound);
    if (code === isManaged) return new ConsoleError(409, cause.message);
  }
  return error;
}
