import { z } from 'zod';
import { id, idParams, instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';
import { budget, raiseBudgetBody } from './budgets.ts';

export const raiseRequestStatuses = ['open', 'approved', 'declined'] as const;

/** User's request to raise a budget of the user or of one of the user's API keys. */
export const budgetRaiseRequest = z.object({
  id: z.number().int(),
  user_id: z.number().int(),
  user_name: z.string(),
  user_email: z.string(),
  budget,
  limit: z.number(),
  until: instant,
  reason: z.string(),
  status: z.enum(raiseRequestStatuses),
  note: z.string().nullable(),
  decided_at: instant.nullable(),
  created_at: instant,
});

export type BudgetRaiseRequest = z.infer<typeof budgetRaiseRequest>;

export const requestBudgetRaiseBody = raiseBudgetBody.extend({ budget_id: id });

const read = { surface: 'management', permission: 'budgets.read' } as const;
const write = { surface: 'management', permission: 'budgets.write' } as const;
const account = { surface: 'management', permission: 'account.read' } as const;

export const budgetRaiseRequestsRoutes = defineRoutes({
  requestBudgetRaise: {
    idempotent: true,
    ...account,
    method: 'POST',
    path: '/user/budget-raise-requests',
    summary: "Request a temporary higher limit for one of the caller's budgets; at most 5 are open at a time",
    request: { body: requestBudgetRaiseBody },
    response: budgetRaiseRequest,
    status: 201,
  },
  listOwnRaiseRequests: {
    ...account,
    method: 'GET',
    path: '/user/budget-raise-requests',
    summary: "List the caller's own requests for a higher limit, newest first",
    response: z.array(budgetRaiseRequest),
  },
  listRaiseRequests: {
    ...read,
    method: 'GET',
    path: '/admin/budget-raise-requests',
    summary: "List the tenant's latest 200 requests for a higher limit, newest first",
    request: { query: z.strictObject({ status: z.enum(raiseRequestStatuses).optional() }) },
    response: z.array(budgetRaiseRequest),
  },
  decideRaiseRequest: {
    ...write,
    method: 'POST',
    path: '/admin/budget-raise-requests/{id}/decide',
    summary: 'Approve a request, which raises the budget immediately, or decline it; the user sees the note',
    request: {
      params: idParams,
      body: z.strictObject({
        decision: z.enum(['approve', 'decline']),
        note: z.string().trim().max(500, 'A note must be at most 500 characters').default(''),
      }),
    },
    response: budgetRaiseRequest,
  },
});
