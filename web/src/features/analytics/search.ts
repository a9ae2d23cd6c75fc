import { z } from 'zod';

const text = z.union([z.string(), z.number()]).transform(String);

export const presetDays = [7, 30, 90] as const;

/** Search parameters of analytics. Default: the last 30 days. */
export const analyticsSearch = z.object({
  days: z.literal(presetDays).optional().catch(undefined),
  start: z.iso.date().optional().catch(undefined),
  end: z.iso.date().optional().catch(undefined),
  user: z.number().int().positive().optional().catch(undefined),
  /** Team under whose grants requests were made. */
  team: z.number().int().positive().optional().catch(undefined),
  task: z.number().int().positive().optional().catch(undefined),
  model: text.optional().catch(undefined),
  /** Key in the provider registry. */
  provider: text.optional().catch(undefined),
  /** Id of an API key. */
  key: z.number().int().positive().optional().catch(undefined),
  /** Label such as `cost_center=4711`. */
  label: text.optional().catch(undefined),
});

export type AnalyticsSearch = z.output<typeof analyticsSearch>;
