import { z } from 'zod';
import { decimalNumber } from '../decimal-number.ts';
import { id, idParams, instant } from '../ids.ts';
import { pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';
import { modelPattern } from './blacklist.ts';

export const budgetMeasures = ['usd', 'tokens', 'requests'] as const;
export const budgetPeriods = ['minute', 'hour', 'day', 'week', 'month', 'total'] as const;

/** At the limit a budget rejects requests, sends them to a cheaper model, or only notifies. */
export const budgetActions = ['refuse', 'route', 'warn'] as const;

export type BudgetMeasure = (typeof budgetMeasures)[number];
export type BudgetPeriod = (typeof budgetPeriods)[number];
export type BudgetAction = (typeof budgetActions)[number];

/** Maximum limit: nine million dollars, or as many tokens or requests as a number holds exactly. */
const limitMax = { usd: 9_000_000, counts: 9_007_199_254_740_991 } as const;

const limit = z
  .number('Enter a limit greater than 0')
  .positive('Enter a limit greater than 0')
  .max(limitMax.counts);

const thresholds = z
  .array(
    z
      .int('A threshold must be a whole number of percent')
      .min(1, 'A threshold must be at least 1%')
      .max(1_000, 'A threshold must be at most 1,000%'),
  )
  .max(10, 'At most 10 thresholds');

/** Problem of a missing `route_to`. */
export const routeToMissing = 'Enter the model to route to';

const routeTo = z.string().trim().min(1, routeToMissing).max(200);

/** Requests that match all of these; a missing or `null` field matches every request. */
const subject = {
  team_id: id.nullish(),
  user_id: id.nullish(),
  api_key_id: id.nullish(),
  task_id: id.nullish(),
  llm_provider_id: id.nullish(),
  /** A name with `*` for any characters, or several in braces. Matched with the requested name and the model's own. */
  model_pattern: modelPattern.nullish(),
};

/** `limit` is dollars, tokens or requests. `starts_at` begins the first period; without it, periods are the calendar's. */
export const createBudgetBody = z
  .strictObject({
    ...subject,
    measure: z.enum(budgetMeasures),
    period: z.enum(budgetPeriods),
    starts_at: instant.nullish(),
    limit,
    thresholds: thresholds.default([80, 100]),
    action: z.enum(budgetActions).default('refuse'),
    route_to: routeTo.nullish(),
  })
  .superRefine(({ measure, limit: amount, action, route_to }, { addIssue }) => {
    const problem = findLimitProblem(measure, amount);
    if (problem) addIssue({ code: 'custom', path: ['limit'], message: problem });
    if ((action === 'route') !== (route_to != null)) {
      const message = action === 'route' ? routeToMissing : 'A model to route to requires the action "route"';
      addIssue({ code: 'custom', path: ['route_to'], message });
    }
  });

/** Checks a limit in its measure; returns an error message, or `null` if it is valid. */
export function findLimitProblem(measure: BudgetMeasure, amount: number): string | null {
  if (measure !== 'usd') return Number.isInteger(amount) ? null : 'A limit must be a whole number';
  if (amount > limitMax.usd) return 'A limit can be at most $9,000,000';
  return Number(amount.toFixed(9)) === amount ? null : 'A limit can have at most 9 decimals';
}

/** Changed fields only. The subject, the measure and the period of a budget do not change. */
export const updateBudgetBody = z
  .strictObject({ limit, thresholds, action: z.enum(budgetActions), route_to: routeTo.nullable() })
  .partial();

export const raiseBudgetBody = z.strictObject({
  limit,
  /** The previous limit applies again from then on. */
  until: instant,
  reason: z.string('A reason is required').trim().min(1, 'A reason is required').max(500),
});

export const budget = z.object({
  id: z.number().int(),
  team_id: z.number().int().nullable(),
  user_id: z.number().int().nullable(),
  api_key_id: z.number().int().nullable(),
  task_id: z.number().int().nullable(),
  llm_provider_id: z.number().int().nullable(),
  model_pattern: z.string().nullable(),
  /** Names of all that the budget applies to, such as `team "Platform", models gpt-5*`. */
  subject: z.string(),
  measure: z.enum(budgetMeasures),
  period: z.enum(budgetPeriods),
  starts_at: instant.nullable(),
  limit: z.number(),
  thresholds: z.array(z.number().int()),
  action: z.enum(budgetActions),
  route_to: z.string().nullable(),
  /** Limit until `raised_until`; `null` if not raised. */
  raised_limit: z.number().nullable(),
  raised_until: instant.nullable(),
  raise_reason: z.string().nullable(),
  /** The limit in force. */
  effective_limit: z.number(),
  /** Used in this period by requests that have ended. */
  spent: z.number(),
  /** Reserved by nodes for requests in flight and the next ones. */
  held: z.number(),
  used_percent: z.number(),
  /** Requests that have used it in this period. */
  requests: z.number().int(),
  /** `null` for a total. */
  resets_at: instant.nullable(),
  /** Maximum amount by which `spent` exceeds the limit: the usage of this period's requests beyond their holds. */
  over_max: z.number(),
  created_at: instant,
});

export type Budget = z.infer<typeof budget>;

const read = { surface: 'management', permission: 'budgets.read' } as const;
const write = { surface: 'management', permission: 'budgets.write' } as const;
const path = '/admin/budgets/{id}';

export const budgetsRoutes = defineRoutes({
  listBudgets: {
    ...read,
    method: 'GET',
    path: '/admin/budgets',
    summary: 'List the budgets of the tenant with what is spent, highest share of the limit first',
    request: {
      query: z.strictObject({
        ...pageQuery(100),
        /** Only budgets of which at least this percentage of the limit is used. */
        used_percent: decimalNumber(z.number().min(0).max(1_000)).optional(),
        team_id: id.optional(),
        user_id: id.optional(),
        api_key_id: id.optional(),
        task_id: id.optional(),
        llm_provider_id: id.optional(),
      }),
    },
    response: z.array(budget),
  },
  createBudget: {
    idempotent: true,
    ...write,
    method: 'POST',
    path: '/admin/budgets',
    summary: 'Create a budget; it counts requests from then on',
    request: { body: createBudgetBody },
    response: budget,
    status: 201,
  },
  getBudget: {
    ...read,
    method: 'GET',
    path,
    summary: 'Get a budget with what is spent',
    request: { params: idParams },
    response: budget,
  },
  updateBudget: {
    ...write,
    method: 'PUT',
    path,
    summary: 'Change the limit, thresholds or action of a budget',
    request: { params: idParams, body: updateBudgetBody },
    response: budget,
  },
  deleteBudget: {
    ...write,
    method: 'DELETE',
    path,
    summary: 'Delete a budget',
    request: { params: idParams },
    response: z.undefined(),
    status: 204,
  },
  raiseBudget: {
    ...write,
    method: 'PUT',
    path: `${path}/raise`,
    summary: 'Raise the limit of a budget until a date',
    request: { params: idParams, body: raiseBudgetBody },
    response: budget,
  },
  endBudgetRaise: {
    ...write,
    method: 'DELETE',
    path: `${path}/raise`,
    summary: 'End the raise of a budget now',
    request: { params: idParams },
    response: budget,
  },
  listOwnBudgets: {
    method: 'GET',
    path: '/user/budgets',
    surface: 'management',
    permission: 'account.read',
    summary: "List the budgets of the caller and the caller's API keys, also within teams",
    response: z.array(budget),
  },
});
