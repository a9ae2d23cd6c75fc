import { z } from 'zod';

const text = z.union([z.string(), z.number()]).transform(String);

export const presetDays = [7, 30, 90] as const;

/** The default period is the last 30 days. */
export const analyticsSearch = z.object({
  days: z.literal(presetDays).optional().catch(undefined),
  start: z.iso.date().optional().catch(undefined),
  end: z.iso.date().optional().catch(undefined),
  user: z.number().int().positive().optional().catch(undefined),
  /** Id of the team whose grant allowed the request. */
  team: z.number().int().positive().optional().catch(undefined),
  task: z.number().int().positive().optional().catch(undefined),
  model: text.optional().catch(undefined),
  /** Key in the provider registry, for example `openai`. */
  provider: text.optional().catch(undefined),
  key: z.number().int().positive().optional().catch(undefined),
  /** Example: `cost_center=4711`. */
  label: text.optional().catch(undefined),
});

export type AnalyticsSearch = z.output<typeof analyticsSearch>;
