import { z } from 'zod';
import { decimalNumber } from '../decimal-number.ts';
import { id, instant } from '../ids.ts';
import { usd } from '../money.ts';
import { pageLimit } from '../pagination.ts';
import { defineRoutes } from '../route.ts';

const daysMax = 366;
const dayMs = 24 * 3_600_000;

/** Whole days of the tenant's zone, both ends included; without both dates the last `days`, today included. */
function rangeQuery<More extends z.ZodRawShape>(daysDefault: number, more: More) {
  return z
    .strictObject({
      start_date: z.iso.date().optional(),
      end_date: z.iso.date().optional(),
      days: decimalNumber(z.int().min(1).max(daysMax)).default(daysDefault),
      user_id: id.optional(),
      ...more,
    })
    .refine((query) => countDays(query) >= 1, {
      path: ['end_date'],
      message: 'The end date must not be before the start date',
    })
    .refine((query) => countDays(query) <= daysMax, {
      path: ['end_date'],
      message: `The dates may be at most ${daysMax} days apart`,
    });
}

/** How many days two dates span; one when there are not two. */
function countDays(query: object): number {
  const [from, to] = ['start_date', 'end_date'].map((name) => Date.parse(String(Reflect.get(query, name))));
  const days = ((to ?? Number.NaN) - (from ?? Number.NaN)) / dayMs + 1;
  return Number.isNaN(days) ? 1 : days;
}

export const usageMetrics = ['requests', 'tokens'] as const;

export type UsageMetric = (typeof usageMetrics)[number];

export const keyOwnerTypes = ['user', 'team'] as const;

export type KeyOwnerType = (typeof keyOwnerTypes)[number];

/** By what the largest are found. */
const metric = z.enum(usageMetrics).default('requests');
const limit = pageLimit.default(10);

const count = z.number();
/** Of all that the range and the filter hold, from 0 to 100. */
const percentage = z.number();

/** Requests that no model has read, such as those for embeddings. */
export const notClassified = 'not_classified';

/** Refused requests count nowhere here. */
export const usageFigures = z.object({
  total_requests: count,
  avg_requests_per_day: z.number(),
  total_tokens_used: count,
  active_users: count,
  /** Requests by intent. */
  intent_distribution: z.record(z.string(), count),
  /** The first day whose usage is kept; of those before it every figure is zero. */
  kept_since: z.iso.date(),
});

export type UsageFigures = z.infer<typeof usageFigures>;

export const dailyUsage = z.object({ date: z.iso.date(), tokens: count, unique_users: count });

export type DailyUsage = z.infer<typeof dailyUsage>;

export const topUser = z.object({
  user_id: z.number().int(),
  user_name: z.string(),
  total_requests: count,
  total_tokens: count,
  /** The mean of the scores after each request, from 0 to 1; `null` when none moved the score. */
  average_deviation_score: z.number().nullable(),
  last_request: instant,
});

export type TopUser = z.infer<typeof topUser>;

export const topModel = z.object({
  model: z.string(),
  provider_key: z.string(),
  total_requests: count,
  total_tokens: count,
  unique_users: count,
  percentage,
});

export type TopModel = z.infer<typeof topModel>;

/** What was asked by API keys: of a person, or by a team's members under the team's grant. */
export const topApiKey = z.object({
  entity_id: z.number().int(),
  entity_name: z.string(),
  entity_type: z.enum(keyOwnerTypes),
  total_requests: count,
  total_tokens: count,
  percentage,
  last_used: instant.nullable(),
});

export type TopApiKey = z.infer<typeof topApiKey>;

/** Of a provider and a day: what the tenant paid with its own keys, and what was taken from its credits. */
export const dailySpend = z.object({
  provider_key: z.string(),
  provider_name: z.string(),
  date: z.iso.date(),
  user_llm_spend: usd,
  company_llm_spend: usd,
  total_spend: usd,
});

export type DailySpend = z.infer<typeof dailySpend>;

/** What was refused on a day of the tenant's zone for one reason. */
export const dailyRefusals = z.object({
  date: z.iso.date(),
  /** An error code: `model_blacklisted`. */
  reason: z.string(),
  /** Every repeat counts. */
  count,
  /** Rows of the log; one may stand for several repeats. */
  rows: count,
});

export type DailyRefusals = z.infer<typeof dailyRefusals>;

export const deviationEventKinds = [
  'policy_changed',
  'appeal_opened',
  'appeal_granted',
  'appeal_denied',
] as const;

/** Of how many a person or team has sent, and the mean of the scores after them; `null` when none moved the score. */
const deviationOfDay = z.object({
  date: z.iso.date(),
  requests: count,
  average_deviation_score: z.number().nullable(),
});

/** How scores went, highest mean first, and what may have moved them. */
export const deviationTimeline = z.object({
  /** Every day of the range. */
  dates: z.array(z.iso.date()),
  series: z.array(
    z.object({
      entity_id: z.number().int(),
      entity_name: z.string(),
      entity_type: z.enum(keyOwnerTypes),
      requests: count,
      average_deviation_score: z.number(),
      /** Days with requests alone. */
      days: z.array(deviationOfDay),
    }),
  ),
  events: z.array(
    z.object({
      kind: z.enum(deviationEventKinds),
      /** Of the entry of the audit log, or of the appeal. */
      id: z.number().int(),
      date: z.iso.date(),
      timestamp: instant,
      /** Who appealed; `null` for a change of the policy, which is everybody's. */
      user_id: z.number().int().nullable(),
      user_name: z.string().nullable(),
    }),
  ),
});

export type DeviationTimeline = z.infer<typeof deviationTimeline>;

/** How today stands. What was refused is counted by its reason, every repeat of it. */
export const today = z.object({
  date: z.iso.date(),
  total_requests: count,
  /** Of these, those that a provider or the gate has failed. */
  failed_requests: count,
  refused_requests: z.array(z.object({ reason: z.string(), count })),
  /** Active people who have used at least four fifths of their tokens of this day or month. */
  users_near_limit: count,
  open_appeals: count,
  /** Providers that failed requests today, the most failures first. */
  failing_providers: z.array(
    z.object({
      llm_provider_id: z.number().int(),
      provider_instance_name: z.string(),
      requests: count,
      errors: count,
    }),
  ),
  total_spend: usd,
});

export type Today = z.infer<typeof today>;

const read = { method: 'GET', surface: 'management', permission: 'analytics.read' } as const;

export const analyticsRoutes = defineRoutes({
  getUsageFigures: {
    ...read,
    path: '/admin/analytics/usage',
    summary: 'Requests, tokens and people of some days, and what was asked for',
    request: { query: rangeQuery(7, {}) },
    response: usageFigures,
  },
  listDailyUsage: {
    ...read,
    path: '/admin/analytics/daily-usage',
    summary: 'Tokens and people of each day, also of those without any',
    request: { query: rangeQuery(30, {}) },
    response: z.array(dailyUsage),
  },
  listTopUsers: {
    ...read,
    path: '/admin/analytics/top-users',
    summary: 'Who used most',
    request: { query: rangeQuery(30, { limit, metric }) },
    response: z.array(topUser),
  },
  listTopModels: {
    ...read,
    path: '/admin/analytics/top-models',
    summary: 'Which models were used most',
    request: { query: rangeQuery(30, { limit }) },
    response: z.array(topModel),
  },
  listTopApiKeys: {
    ...read,
    path: '/admin/analytics/top-api-keys',
    summary: 'Whose API keys were used most; people, teams, or both without a breakdown',
    request: {
      query: rangeQuery(30, { limit, metric, breakdown: z.enum(keyOwnerTypes).optional() }),
    },
    response: z.array(topApiKey),
  },
  listSpendByProvider: {
    ...read,
    path: '/admin/analytics/spend-by-provider',
    summary: 'What was spent by provider and day; days without spending are left out',
    request: { query: rangeQuery(30, {}) },
    response: z.array(dailySpend),
  },
  listDailyRefusals: {
    ...read,
    path: '/admin/analytics/refusals',
    summary: 'What was refused by day and reason; days without are left out',
    request: { query: rangeQuery(30, {}) },
    response: z.array(dailyRefusals),
  },
  getDeviationTimeline: {
    ...read,
    path: '/admin/analytics/deviation',
    summary: 'The scores of those who deviate most, day by day, with changes of the policy and appeals',
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
      "How the tenant's day stands so far: requests, refusals, people near a limit, appeals, failures, spending",
    response: today,
  },
});
