import { z } from 'zod';

export const presetDays = [7, 30, 90] as const;

/** Search parameters of analytics. Default: the last 30 days. */
export const analyticsSearch = z.object({
  days: z.literal(presetDays).optional().catch(undefined),
  start: z.iso.date().optional().catch(undefined),
  end: z.iso.date().optional().catch(undefined),
  user: z.number().int().positive().optional().catch(undefined),
});

export type AnalyticsSearch = z.output<typeof analyticsSearch>;
