import { z } from 'zod';
import { id, idParams, instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';
import {
  budgetActions,
  budgetDowngradeTo,
  budgetLimit,
  budgetMeasures,
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

/** Members that get the default: those of a team or, without one, all users of the tenant. */
const place = {
  team_id: id.nullish(),
  measure: z.enum(budgetMeasures),
  window: z.enum(budgetPeriods),
};

export const createBudgetDefaultBody = z.strictObject({ ...place, ...terms }).superRefine(refineBudget);

/** The limit that is to be set; `null` deletes the default. */
export const previewBudgetDefaultBody = z
  .strictObject({ ...place, limit: budgetLimit.nullable() })
  .superRefine(({ measure, window }, { addIssue }) => {
    const problem = findWindowProblem(measure, window);
    if (problem) addIssue({ code: 'custom', path: ['window'], message: problem });
  });

/** One for each team, measure and window. That of a team is also a budget with the subject type `team_member`. Of several teams of a user, the highest limit applies. */
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
  /** Number of users whose limit it is. */
  users: z.number().int(),
  created_at: instant,
});

export type BudgetDefault = z.infer<typeof budgetDefault>;

const effectiveLimit = z.object({ limit: z.number(), origin: z.string() });

export const budgetDefaultPreview = z.object({
  /** Number of users whose limit changes. */
  changed: z.number().int(),
  /** Number of users who keep a limit of their own. */
  kept: z.number().int(),
  /** The first of them by name, at most 200. `null` is no limit. */
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
    summary: 'Set a budget for each member of a team or each user; members who join later get it at once',
    request: { body: createBudgetDefaultBody },
    response: budgetDefault,
    status: 201,
  },
  updateBudgetDefault: {
    ...write,
    method: 'PUT',
    path,
    summary: 'Change a default budget and with it the limit of each user who has it',
    request: { params: idParams, body: budgetTermChanges },
    response: budgetDefault,
  },
  deleteBudgetDefault: {
    ...write,
    method: 'DELETE',
    path,
    summary:
      'Delete a default budget; its users lose the limit, or get that of another team or the organization',
    request: { params: idParams },
    response: z.undefined(),
    status: 204,
  },
  previewBudgetDefault: {
    ...write,
    method: 'POST',
    path: '/admin/budget-defaults/preview',
    summary: 'Preview whose limit a default budget would change, and from which to which; changes nothing',
    request: { body: previewBudgetDefaultBody },
    response: budgetDefaultPreview,
  },
});
