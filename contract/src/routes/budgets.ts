import { z } from 'zod';
import { decimalNumber } from '../decimal-number.ts';
import { id, idParams, instant } from '../ids.ts';
import { type BudgetMeasure, budgetMeasures } from '../money.ts';
import { pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';
import { modelPattern } from './blacklist.ts';

/** `at_once` is the window of `parallel_requests`, which counts requests in flight instead of usage per period. */
export const budgetPeriods = ['minute', 'hour', 'day', 'week', 'month', 'total', 'at_once'] as const;

/** `refuse` rejects requests, `warn` only notifies, `downgrade` sends requests to a cheaper model. */
export const budgetActions = ['refuse', 'warn', 'downgrade'] as const;

/** A `team_member` budget is the default for each member of a team and creates a budget for each of them. */
export const budgetSubjectTypes = [
  'tenant',
  'team',
  'team_member',
  'user',
  'api_key',
  'service_account',
  'task',
  'provider',
] as const;

export type BudgetPeriod = (typeof budgetPeriods)[number];
export type BudgetAction = (typeof budgetActions)[number];
export type BudgetSubjectType = (typeof budgetSubjectTypes)[number];

/** Nine million dollars, or the largest integer that a JSON number represents exactly. */
const limitMax = { usd: 9_000_000, counts: 9_007_199_254_740_991 } as const;

/** In dollars, tokens or requests, as number or decimal text. 0 allows nothing. */
const defineLimit = (field: string) =>
  decimalNumber(
    z
      .number(`Enter a ${field} of at least 0`)
      .min(0, `The ${field} must be at least 0`)
      .max(limitMax.counts, `The ${field} must be at most 9,007,199,254,740,991`),
    `Enter a ${field} of at least 0`,
  );

export const budgetLimit = defineLimit('limit');

export const budgetUsd = defineLimit('budget_usd');

/** Users are notified at these fractions of the limit. */
export const budgetThresholds = z
  .array(
    z
      .number('A threshold must be a fraction of the limit, such as 0.8')
      .min(0.01, 'A threshold must be at least 0.01')
      .max(10, 'A threshold must be at most 10')
      .refine(
        (fraction) => Number(fraction.toFixed(2)) === fraction,
        'A threshold can have at most 2 decimals',
      ),
  )
  .max(10, 'A budget can have at most 10 thresholds');

export const defaultThresholds = [0.8, 1];

export const downgradeToMissing = 'Enter the model to downgrade to';
export const downgradeToUnused = 'A model to downgrade to requires the action "downgrade"';

export const budgetDowngradeTo = z.string().trim().min(1, downgradeToMissing).max(200);

/** For `team_member`, the id is the team's id. Tenant budgets may omit the id. */
const subject = {
  subject_type: z.enum(budgetSubjectTypes),
  subject_id: id.nullish(),
};

/** A budget with filters counts only the subject's requests within a team, at a provider, or for certain models. */
const narrowings = {
  team_id: id.nullish(),
  llm_provider_id: id.nullish(),
  /** Name with `*` for any characters, or several names in braces. Matches the requested or the actual model. */
  model_pattern: modelPattern.nullish(),
};

/** The first window starts at `starts_at`. Without `starts_at`, windows follow the calendar. */
export const createBudgetBody = z
  .strictObject({
    ...subject,
    ...narrowings,
    measure: z.enum(budgetMeasures),
    window: z.enum(budgetPeriods),
    starts_at: instant.nullish(),
    limit: budgetLimit,
    thresholds: budgetThresholds.default(defaultThresholds),
    action: z.enum(budgetActions).default('refuse'),
    downgrade_to: budgetDowngradeTo.nullish(),
  })
  .superRefine((body, ctx) => {
    const report = (field: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: [field], message });
    if (body.subject_type !== 'tenant' && body.subject_id == null)
      report('subject_id', 'Enter the ID of the subject');
    for (const field of superfluousFields[body.subject_type] ?? []) {
      if (body[field]) report(field, `A budget of a ${body.subject_type} cannot have this field`);
    }
    refineBudget(body, ctx);
  });

/** A `team_member` default covers all requests of the member, in calendar windows. */
const superfluousFields: Partial<
  Record<BudgetSubjectType, readonly ('team_id' | 'llm_provider_id' | 'model_pattern' | 'starts_at')[]>
> = {
  team: ['team_id'],
  team_member: ['team_id', 'llm_provider_id', 'model_pattern', 'starts_at'],
  provider: ['llm_provider_id'],
};

interface LimitAndAction {
  readonly measure: BudgetMeasure;
  readonly window?: BudgetPeriod | undefined;
  readonly starts_at?: string | null | undefined;
  readonly limit: number;
  readonly action: BudgetAction;
  readonly downgrade_to?: string | null | undefined;
}

/** Reports terms that the measure does not allow, and a `downgrade_to` that is missing or unneeded. */
export function refineBudget(
  { measure, window, starts_at, limit: amount, action, downgrade_to }: LimitAndAction,
  { addIssue }: Pick<z.core.$RefinementCtx, 'addIssue'>,
): void {
  const report = (field: string, message: string | null) =>
    message && addIssue({ code: 'custom', path: [field], message });
  report('limit', findLimitProblem(measure, amount));
  report('action', findActionProblem(measure, action));
  if (window !== undefined) report('window', findWindowProblem(measure, window));
  if (measure === 'parallel_requests' && starts_at != null)
    report('starts_at', 'A limit of parallel requests cannot have a start time');
  const isDowngrade = action === 'downgrade';
  if (isDowngrade !== (downgrade_to != null))
    report('downgrade_to', isDowngrade ? downgradeToMissing : downgradeToUnused);
}

/** Returns `null` if the measure allows the limit. */
export function findLimitProblem(measure: BudgetMeasure, amount: number): string | null {
  if (measure !== 'usd') return Number.isInteger(amount) ? null : 'A limit must be a whole number';
  if (amount > limitMax.usd) return 'A limit can be at most $9,000,000';
  return Number(amount.toFixed(9)) === amount ? null : 'A limit can have at most 9 decimals';
}

/** Returns `null` if the measure allows the action. */
export function findActionProblem(measure: BudgetMeasure, action: BudgetAction): string | null {
  return measure === 'parallel_requests' && action === 'warn'
    ? 'A limit of parallel requests cannot only notify. Select "refuse" or "downgrade"'
    : null;
}

/** Returns `null` if the measure allows the window. */
export function findWindowProblem(measure: BudgetMeasure, window: BudgetPeriod): string | null {
  const isParallel = measure === 'parallel_requests';
  if (isParallel === (window === 'at_once')) return null;
  return isParallel
    ? 'The window of parallel requests is "at_once"'
    : 'The window "at_once" is only for the measure "parallel_requests"';
}

export const budgetTermChanges = z
  .strictObject({
    limit: budgetLimit,
    thresholds: budgetThresholds,
    action: z.enum(budgetActions),
    downgrade_to: budgetDowngradeTo.nullable(),
  })
  .partial();

/** Changed fields only. The subject, models, measure and window may be sent back unchanged. */
export const updateBudgetBody = z.strictObject({
  ...budgetTermChanges.shape,
  subject_type: z.enum(budgetSubjectTypes).optional(),
  subject_id: id.nullish(),
  model_pattern: modelPattern.nullish(),
  measure: z.enum(budgetMeasures).optional(),
  window: z.enum(budgetPeriods).optional(),
});

export const raiseBudgetBody = z.strictObject({
  limit: z
    .number('Enter a limit greater than 0')
    .positive('Enter a limit greater than 0')
    .max(limitMax.counts),
  /** The previous limit applies again from this time. */
  until: instant,
  reason: z.string('A reason is required').trim().min(1, 'A reason is required').max(500),
});

export const budget = z.object({
  id: z.number().int(),
  subject_type: z.enum(budgetSubjectTypes),
  subject_id: z.number().int(),
  team_id: z.number().int().nullable(),
  llm_provider_id: z.number().int().nullable(),
  model_pattern: z.string().nullable(),
  /** Example: `team "Platform", models gpt-5*`. */
  subject: z.string(),
  /**
   * Default that sets the limit, such as `team "Platform"` or `your organization`. `null` if the limit does not come
   * from a default.
   */
  origin: z.string().nullable(),
  default_id: z.number().int().nullable(),
  measure: z.enum(budgetMeasures),
  window: z.enum(budgetPeriods),
  starts_at: instant.nullable(),
  limit: z.number(),
  thresholds: z.array(z.number()),
  action: z.enum(budgetActions),
  downgrade_to: z.string().nullable(),
  /** Applies until `raised_until`. `null` if the limit is not raised. */
  raised_limit: z.number().nullable(),
  raised_until: instant.nullable(),
  raise_reason: z.string().nullable(),
  /** Includes a temporary raise. */
  effective_limit: z.number(),
  /** Amount that completed requests used in this period. 0 for parallel requests. */
  spent: z.number(),
  /** Amount that nodes reserve for requests in flight and upcoming requests. */
  held: z.number(),
  /** Percentage of the limit that is spent, or held for parallel requests. */
  used_percent: z.number(),
  requests: z.number().int(),
  /** Start of this period, or creation of the budget if that is later. */
  counts_since: instant,
  /** `null` for total budgets and for parallel requests. */
  resets_at: instant.nullable(),
  /** Maximum amount by which `spent` exceeds the limit: the usage of this period's requests beyond their holds. */
  over_max: z.number(),
  created_at: instant,
});

export type Budget = z.infer<typeof budget>;

/** Cumulative spending at the end of each day through today, in the tenant's calendar. */
export const budgetHistory = z.object({
  days: z.array(z.object({ date: z.iso.date(), spent: z.number() })),
  /** `null` for total budgets. */
  last_day: z.iso.date().nullable(),
});

export type BudgetHistory = z.infer<typeof budgetHistory>;

/** Based on what the requests used. The gateway reserves more, so it rejects slightly earlier. */
export const budgetReplay = z.object({
  requests: z.number().int(),
  refused: z.number().int(),
  refused_amount: z.number(),
  first_refused_at: instant.nullable(),
  refusing_periods: z.number().int(),
  /** `false` if only the first 500,000 requests were replayed. */
  is_complete: z.boolean(),
  /** At most 50 users, most rejections first. */
  users: z.array(
    z.object({
      user_id: z.number().int(),
      user_name: z.string(),
      user_email: z.string(),
      requests: z.number().int(),
      refused: z.number().int(),
    }),
  ),
});

export type BudgetReplay = z.infer<typeof budgetReplay>;

const read = { surface: 'management', permission: 'budgets.read' } as const;
const write = { surface: 'management', permission: 'budgets.write' } as const;
const path = '/admin/budgets/{id}';

export const budgetsRoutes = defineRoutes({
  listBudgets: {
    ...read,
    method: 'GET',
    path: '/admin/budgets',
    summary:
      'List the budgets of the tenant and the defaults of its teams with their current use, highest percentage of the limit first',
    request: {
      query: z.strictObject({
        ...pageQuery(100),
        subject_type: z.enum(budgetSubjectTypes).optional(),
        subject_id: id.optional(),
        /** Only budgets that have used at least this percentage of their limit. */
        used_percent: decimalNumber(z.number().min(0).max(1_000)).optional(),
        team_id: id.optional(),
        user_id: id.optional(),
        /** Includes budgets of the user's API keys. */
        owner_id: id.optional(),
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
  replayBudget: {
    ...read,
    method: 'POST',
    path: '/admin/budgets/replay',
    summary:
      'Test a new budget on recent requests and return those that it would have rejected; changes nothing',
    request: {
      body: z.strictObject({
        budget: createBudgetBody,
        days: z.number().int().min(1, 'Days must be at least 1').max(30, 'Days must be at most 30'),
      }),
    },
    response: budgetReplay,
  },
  getBudget: {
    ...read,
    method: 'GET',
    path,
    summary: 'Get a budget with its current use',
    request: { params: idParams },
    response: budget,
  },
  getBudgetHistory: {
    ...read,
    method: 'GET',
    path: `${path}/history`,
    summary: 'Get the cumulative spending of a budget for each day of its window, for at most 92 days',
    request: { params: idParams },
    response: budgetHistory,
  },
  updateBudget: {
    ...write,
    method: 'PUT',
    path,
    summary:
      'Change the limit, thresholds or action of a budget; a budget created by a default no longer follows the default',
    request: { params: idParams, body: updateBudgetBody },
    response: budget,
  },
  deleteBudget: {
    ...write,
    method: 'DELETE',
    path,
    summary: 'Delete a budget; if a default applies to its user, the default takes effect again',
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
    summary:
      "List the budgets of the caller, the caller's API keys and the teams in which the caller is an active member",
    response: z.array(budget),
  },
});
