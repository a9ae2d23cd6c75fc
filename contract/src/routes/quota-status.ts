import { z } from 'zod';
import { instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';
import { deviationLevels, deviationModes } from './governance.ts';

/** What a blocked person, and one whose score is high, are told on every page. */
export const standingWarnings = {
  blocked_status: 'Your account has been temporarily blocked due to policy violations.',
  high_deviation_score: 'Your deviation score is elevated. Please review your usage patterns.',
} as const;

/** `limit` null is unlimited; what requests in flight hold is not counted as used. */
const quota = z.object({ used: z.number(), limit: z.number().nullable(), resets_at: instant });

export const quotaStatus = z.object({
  /** From 0, on task, to 1, as it is now. */
  deviation_score: z.number(),
  level: z.enum(deviationLevels),
  warnings: z.object({
    blocked_status: z.string().nullable(),
    high_deviation_score: z.string().nullable(),
  }),
  blocked_reason: z.string().nullable(),
  blocked_at: instant.nullable(),
  /** What the tenant does about scores, and from where on. */
  policy: z.object({
    mode: z.enum(deviationModes),
    thresholds: z.object({ elevated: z.number(), high: z.number(), block: z.number() }),
  }),
  quotas: z.object({ requests_per_hour: quota, tokens_per_day: quota, tokens_per_month: quota }),
});

export type QuotaStatus = z.infer<typeof quotaStatus>;

export const quotaStatusRoutes = defineRoutes({
  getQuotaStatus: {
    method: 'GET',
    path: '/user/quota-status',
    surface: 'management',
    permission: 'account.read',
    summary: "Where the caller's own limits and deviation score stand; also for who is blocked",
    response: quotaStatus,
  },
});
