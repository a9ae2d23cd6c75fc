import { z } from 'zod';

export const bulkRowsMax = 500;

/** One entry per row. An `error` of `null` means success. */
export const bulkOutcomes = z.array(z.object({ index: z.number().int(), error: z.string().nullable() }));

export type BulkOutcomes = z.infer<typeof bulkOutcomes>;
