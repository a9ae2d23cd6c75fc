import { z } from 'zod';

/** Maximum number of rows in one bulk request. */
export const bulkRowsMax = 500;

/** Result of each row of a bulk request; an `error` of `null` means success. */
export const bulkOutcomes = z.array(z.object({ index: z.number().int(), error: z.string().nullable() }));

export type BulkOutcomes = z.infer<typeof bulkOutcomes>;
