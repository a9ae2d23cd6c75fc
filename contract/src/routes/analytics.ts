import { z } from 'zod';
import { decimalNumber } from '../decimal-number.ts';
import { id, ids, instant } from '../ids.ts';
import { labelFilter, labelName } from '../labels.ts';
import { usd } from '../money.ts';
import { pageLimit } from '../pagination.ts';
import { defineRoutes } from '../route.ts';

const daysMax = 366;
const dayMs = 24 * 3_600_000;

/** The request log has the same filters. */
const usageFilters = {
  /** Includes only requests under the grants of these teams. */
  team_id: ids.optional(),
  task_id: id.optional(),
  api_key_id: id.optional(),
  model: z.string().max(200).optional(),
  provider_key: z.string().max(100).optional(),
  /** `cost_center=4711`, or `cost_center` for any value. */
  label: labelFilter.optional(),
};

/**
 * Days are in the tenant's time zone, both inclusive. Without dates, the range is the last `days` days including
 * today.
 */
function rangeQuery<More extends z.ZodRawShape>(daysDefault: number, more: More) {
  return z
    .strictObject({
      start_date: z.iso.date().optional(),
      end_date: z.iso.date().optional(),
      days: decimalNumber(z.int().min(1).max(daysMax)).default(daysDefault),
      user_id: id.optional(),
      ...usageFilters,
      ...more,
    })
    .refine((query) => countDays(query) >= 1, {
      path: ['end_date'],
      message: 'The end date must not be before the start date',
    })
    .refine((query) => countDays(query) <= daysMax, {
      path: ['end_date'],
      message: `The date range may cover at most ${daysMax} days`,
    });
}

/** Returns the number of days in the range, or 1 unless both dates are given. */
function countDays(query: object): number {
  const [from, to] = ['start_date', 'end_date'].map((name) => Date.parse(String(Reflect.get(query, name))));
  const days = ((to ?? Number.NaN) - (from ?? Number.NaN)) / dayMs + 1;
  return Number.isNaN(days) ? 1 : days;
}

export const usageMetrics = ['requests', 'tokens', 'cost'] as const;

export type UsageMetric = (typeof usageMetrics)[number];

export const keyOwnerTypes = ['user', 'team'] as const;

export type KeyOwnerType = (typeof keyOwnerTypes)[number];

const metric = z.enum(usageMetrics).default('requests');
const limit = pageLimit.default(10);

const count = z.number();
/** From 0 to 100. */
const percentage = z.number();

/** Intent of unclassified requests, such as requests for embeddings. */
export const notClassified = 'not_classified';

/** Rejected requests are not counted. */
export const usageFigures = z.object({
  total_requests: count,
  avg_requests_per_day: z.number(),
  total_tokens_used: count,
  cost_usd: usd,
  active_users: count,
  intent_distribution: z.record(z.string(), count),
  /** The intents of `intent_distribution`, with all measures. */
  intents: z.array(z.object({ intent: z.string(), requests: count, tokens: count, cost_usd: usd })),
  /** All figures of earlier days are zero. */
  kept_since: z.iso.date(),
  /** First day of the tenant with usage that is still kept, regardless of the query. `null` without usage. */
  used_since: z.iso.date().nullable(),
});

export type UsageFigures = z.infer<typeof usageFigures>;

export const dailyUsage = z.object({
  date: z.iso.date(),
  tokens: count,
  requests: count,
  cost_usd: usd,
  unique_users: count,
});

export type DailyUsage = z.infer<typeof dailyUsage>;

export const topUser = z.object({
  user_id: z.number().int(),
  user_name: z.string(),
  total_requests: count,
  total_tokens: count,
  cost_usd: usd,
  /** From 0 to 1. `null` if no request changed the score. */
  average_deviation_score: z.number().nullable(),
  last_request: instant,
});

export type TopUser = z.infer<typeof topUser>;

export const topModel = z.object({
  model: z.string(),
  provider_key: z.string(),
  total_requests: count,
  total_tokens: count,
  cost_usd: usd,
  unique_users: count,
  percentage,
});

export type TopModel = z.infer<typeof topModel>;

/** Includes keys of team members under the grant of the team. */
export const topApiKey = z.object({
  entity_id: z.number().int(),
  entity_name: z.string(),
  entity_type: z.enum(keyOwnerTypes),
  total_requests: count,
  total_tokens: count,
  cost_usd: usd,
  percentage,
  last_used: instant.nullable(),
});

export type TopApiKey = z.infer<typeof topApiKey>;

/** Requests without a team's grant are one entry with `team_id` null. */
export const topTeam = z.object({
  team_id: z.number().int().nullable(),
  team_name: z.string(),
  total_requests: count,
  total_tokens: count,
  cost_usd: usd,
  unique_users: count,
});

export type TopTeam = z.infer<typeof topTeam>;

export const topLabel = z.object({
  value: z.string(),
  total_requests: count,
  total_tokens: count,
  cost_usd: usd,
  unique_users: count,
  percentage,
});

export type TopLabel = z.infer<typeof topLabel>;

/** Contains at most the 50 most used values. */
export const usedLabel = z.object({ name: z.string(), values: z.array(z.string()) });

export type UsedLabel = z.infer<typeof usedLabel>;

/** Covers self-managed (`user_llm_spend`) and service-managed (`company_llm_spend`) instances. */
export const dailySpend = z.object({
  provider_key: z.string(),
  provider_name: z.string(),
  date: z.iso.date(),
  user_llm_spend: usd,
  company_llm_spend: usd,
  total_spend: usd,
});

export type DailySpend = z.infer<typeof dailySpend>;

/** Days are in the tenant's time zone. */
export const dailyRefusals = z.object({
  date: z.iso.date(),
  /** Example: `model_blacklisted`. */
  reason: z.string(),
  /** Includes repeats. */
  count,
  /** One row may represent several repeats. */
  rows: count,
});

export type DailyRefusals = z.infer<typeof dailyRefusals>;

export const deviationEventKinds = [
  'policy_changed',
  'appeal_opened',
  'appeal_granted',
  'appeal_denied',
] as const;

/** The mean score is `null` if no request changed the score. */
const deviationOfDay = z.object({
  date: z.iso.date(),
  requests: count,
  average_deviation_score: z.number().nullable(),
});

/** Users with the highest mean come first. */
export const deviationTimeline = z.object({
  dates: z.array(z.iso.date()),
  series: z.array(
    z.object({
      entity_id: z.number().int(),
      entity_name: z.string(),
      entity_type: z.enum(keyOwnerTypes),
      requests: count,
      average_deviation_score: z.number(),
      /** Only days with requests. */
      days: z.array(deviationOfDay),
    }),
  ),
  events: z.array(
    z.object({
      kind: z.enum(deviationEventKinds),
      /** Id of the audit log entry or appeal. */
      id: z.number().int(),
      date: z.iso.date(),
      timestamp: instant,
      /** `null` for a policy change, which concerns all users. */
      user_id: z.number().int().nullable(),
      user_name: z.string().nullable(),
    }),
  ),
});

export type DeviationTimeline = z.infer<typeof deviationTimeline>;

/** Rejections are counted by reason, including repeats. */
export const today = z.object({
  date: z.iso.date(),
  total_requests: count,
  /** Requests that failed because of a provider or the gateway. */
  failed_requests: count,
  refused_requests: z.array(z.object({ reason: z.string(), count })),
  /** Active users who have used at least 80% of a token quota or of a budget that refuses or downgrades their requests. */
  users_near_limit: count,
  open_appeals: count,
  /** Providers with the most failures come first. */
  failing_providers: z.array(
    z.object({
      llm_provider_id: z.number().int(),
      provider_instance_name: z.string(),
      requests: count,
      errors: count,
    }),
  ),
  total_spend: usd,
  /** Counts all active keys that expire within 14 days. The list contains the first ten. */
  expiring_keys_count: count,
  expiring_keys: z.array(
    z.object({ user_id: z.number().int(), user_name: z.string(), key_name: z.string(), expires_at: instant }),
  ),
});

export type Today = z.infer<typeof today>;

const read = { method: 'GET', surface: 'management', permission: 'analytics.read' } as const;

export const analyticsRoutes = defineRoutes({
  getUsageFigures: {
    ...read,
    path: '/admin/analytics/usage',
    summary: 'Get requests, tokens, active users and intents of a date range',
    request: { query: rangeQuery(7, {}) },
    response: usageFigures,
  },
  listDailyUsage: {
    ...read,
    path: '/admin/analytics/daily-usage',
    summary: 'Get tokens and active users per day, including days without usage',
    request: { query: rangeQuery(30, {}) },
    response: z.array(dailyUsage),
  },
  listTopUsers: {
    ...read,
    path: '/admin/analytics/top-users',
    summary: 'List the users with the most usage',
    request: { query: rangeQuery(30, { limit, metric }) },
    response: z.array(topUser),
  },
  listTopModels: {
    ...read,
    path: '/admin/analytics/top-models',
    summary: 'List the most used models',
    request: { query: rangeQuery(30, { limit, metric }) },
    response: z.array(topModel),
  },
  listTopTeams: {
    ...read,
    path: '/admin/analytics/top-teams',
    summary: 'List the teams whose grants are used the most',
    request: { query: rangeQuery(30, { limit, metric }) },
    response: z.array(topTeam),
  },
  listTopLabels: {
    ...read,
    path: '/admin/analytics/top-labels',
    summary: 'List the values of a label with the most usage; shares are of all requests that have the label',
    request: { query: rangeQuery(30, { limit, metric, label_name: labelName }) },
    response: z.array(topLabel),
  },
  listUsedLabels: {
    ...read,
    path: '/admin/analytics/labels',
    summary: 'List the labels that requests have and their most used values, most requests first',
    request: { query: rangeQuery(30, { limit: pageLimit.default(50) }) },
    response: z.array(usedLabel),
  },
  listTopApiKeys: {
    ...read,
    path: '/admin/analytics/top-api-keys',
    summary: 'List the most used API keys of users, teams or both',
    request: {
      query: rangeQuery(30, { limit, metric, breakdown: z.enum(keyOwnerTypes).optional() }),
    },
    response: z.array(topApiKey),
  },
  listSpendByProvider: {
    ...read,
    path: '/admin/analytics/spend-by-provider',
    summary: 'Get spending by provider and day; days without spending are omitted',
    request: { query: rangeQuery(30, {}) },
    response: z.array(dailySpend),
  },
  listDailyRefusals: {
    ...read,
    path: '/admin/analytics/refusals',
    summary: 'Get rejected requests by day and reason; days without rejections are omitted',
    request: { query: rangeQuery(30, {}) },
    response: z.array(dailyRefusals),
  },
  getDeviationTimeline: {
    ...read,
    path: '/admin/analytics/deviation',
    summary: 'Get daily deviation scores of the users who deviate most, with policy changes and appeals',
    request: {
      query: rangeQuery(30, {
        breakdown: z.enum(keyOwnerTypes).default('user'),
        limit: pageLimit.default(5),
      }),
    },
    response: deviationTimeline,
  },
  getToday: {
    ...read,
    path: '/admin/analytics/today',
    summary:
      "Get today's figures of the tenant: requests, rejections, users near a limit, appeals, failures, spending",
    response: today,
  },
});
