import type { LogRow } from '#domain/request-log/log-rows.ts';
import { BodyStoreError } from '#domain/request-log/log-store-error.ts';

/**
 * Returns the rows if all texts are complete.
 * @throws BodyStoreError if the object storage that contains the rest of a text is unavailable
 */
export function requireWholeTexts(rows: LogRow[]): LogRow[] {
  if (!rows.some(({ bodyPlace }) => bodyPlace?.isCut)) return rows;
  throw new BodyStoreError(
    'The object storage that contains the request texts cannot be reached. Try again later.',
  );
}
