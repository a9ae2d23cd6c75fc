import type { LogRow } from '#domain/request-log/log-rows.ts';
import { BodyStoreError } from '#domain/request-log/log-store-error.ts';

/**
 * Returns the rows if all of their texts are here.
 * @throws BodyStoreError while the object storage with the rest of a text is away
 */
export function requireWholeTexts(rows: LogRow[]): LogRow[] {
  if (!rows.some(({ bodyPlace }) => bodyPlace?.isCut)) return rows;
  throw new BodyStoreError(
    'The object storage with the texts of requests cannot be reached at the moment. Please retry later.',
  );
}
