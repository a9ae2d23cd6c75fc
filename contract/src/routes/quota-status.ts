import { z } from 'zod';
import { instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';
import { deviationLevels, deviationModes } from './governance.ts';

/** Every page shows these warnings to blocked users and to users with a high score. */
export const standingWarnings = {
  blocked_status: 'Your account has been temporarily blocked due to policy violations.',
  high_deviation_score: 'Your deviation score is elevated. Please review your usage patterns.',
} as const;

/** A `limit` of `null` means no limit. Reservations of requests in flight are not counted as used. */
const quota = z.object({ used: z.number(), limit: z.number().nullable(), resets_at: instant });

export const quotaStatus = z.object({
  /** Ranges from 0 (on task) to 1. */
  deviation_score: z.number(),
  level: z.enum(deviationLevels),
  warnings: z.object({
    blocked_status: z.string().nullable(),
    high_deviation_score: z.string().nullable(),
  }),
  blocked_reason: z.string().nullable(),
  blocked_at: instant.nullable(),
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
    summary: "Get the caller's own limits and deviation score; also available to blocked users",
    response: quotaStatus,
  },
});
