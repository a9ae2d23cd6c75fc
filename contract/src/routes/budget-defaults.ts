import { z } from 'zod';
import { id, idParams, instant } from '../ids.ts';
import { budgetMeasures } from '../money.ts';
import { defineRoutes } from '../route.ts';
import {
  budgetActions,
  budgetDowngradeTo,
  budgetLimit,
  budgetPeriods,
  budgetTermChanges,
  budgetThresholds,
  defaultThresholds,
  findWindowProblem,
  refineBudget,
} from './budgets.ts';

const terms = {
  limit: budgetLimit,
  thresholds: budgetThresholds.default(defaultThresholds),
  action: z.enum(budgetActions).default('refuse'),
  downgrade_to: budgetDowngradeTo.nullish(),
};

/** Members of a team or, if no team is given, all users of the tenant. */
const place = {
  team_id: id.nullish(),
  measure: z.enum(budgetMeasures),
  window: z.enum(budgetPeriods),
};

export const createBudgetDefaultBody = z.strictObject({ ...place, ...terms }).superRefine(refineBudget);

/** `null` previews the deletion of the default. */
export const previewBudgetDefaultBody = z
  .strictObject({ ...place, limit: budgetLimit.nullable() })
  .superRefine(({ measure, window }, { addIssue }) => {
    const problem = findWindowProblem(measure, window);
    if (problem) addIssue({ code: 'custom', path: ['window'], message: problem });
  });

/**
 * Each team, measure and window has at most one default. A team's default is also a budget with the subject type
 * `team_member`. Users of several teams get the highest limit.
 */
export const budgetDefault = z.object({
  id: z.number().int(),
  /** `null` for the whole organization. */
  team_id: z.number().int().nullable(),
  team_name: z.string().nullable(),
  measure: z.enum(budgetMeasures),
  window: z.enum(budgetPeriods),
  limit: z.number(),
  thresholds: z.array(z.number()),
  action: z.enum(budgetActions),
  downgrade_to: z.string().nullable(),
  users: z.number().int(),
  created_at: instant,
});

export type BudgetDefault = z.infer<typeof budgetDefault>;

const effectiveLimit = z.object({ limit: z.number(), origin: z.string() });

export const budgetDefaultPreview = z.object({
  changed: z.number().int(),
  /** Users who keep their own limit. */
  kept: z.number().int(),
  /** The first 200 users whose limit changes, by name. `null` means no limit. */
  users: z.array(
    z.object({
      user_id: z.number().int(),
      user_name: z.string(),
      user_email: z.string(),
      before: effectiveLimit.nullable(),
      after: effectiveLimit.nullable(),
    }),
  ),
});

export type BudgetDefaultPreview = z.infer<typeof budgetDefaultPreview>;

const read = { surface: 'management', permission: 'budgets.read' } as const;
const write = { surface: 'management', permission: 'budgets.write' } as const;
const path = '/admin/budget-defaults/{id}';

export const budgetDefaultsRoutes = defineRoutes({
  listBudgetDefaults: {
    ...read,
    method: 'GET',
    path: '/admin/budget-defaults',
    summary: 'List the budgets that users get from their organization or team',
    response: z.array(budgetDefault),
  },
  createBudgetDefault: {
    idempotent: true,
    ...write,
    method: 'POST',
    path: '/admin/budget-defaults',
    summary:
      'Create a budget for each member of a team or each user of the tenant, including users who join later',
    request: { body: createBudgetDefaultBody },
    response: budgetDefault,
    status: 201,
  },
  updateBudgetDefault: {
    ...write,
    method: 'PUT',
    path,
    summary: 'Change a default budget and the limit of each user it applies to',
    request: { params: idParams, body: budgetTermChanges },
    response: budgetDefault,
  },
  deleteBudgetDefault: {
    ...write,
    method: 'DELETE',
    path,
    summary:
      'Delete a default budget; its users lose the limit, or get the default of another team or the tenant',
    request: { params: idParams },
    response: z.undefined(),
    status: 204,
  },
  previewBudgetDefault: {
    ...write,
    method: 'POST',
    path: '/admin/budget-defaults/preview',
    summary:
      'Preview the users whose limit a default budget would change, with the old and the new limit; changes nothing',
    request: { body: previewBudgetDefaultBody },
    response: budgetDefaultPreview,
  },
});
