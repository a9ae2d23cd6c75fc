import { z } from 'zod';

export const usageDays = [7, 30, 90] as const;

export const usageSearch = z.object({ days: z.literal(usageDays).optional().catch(undefined) });
