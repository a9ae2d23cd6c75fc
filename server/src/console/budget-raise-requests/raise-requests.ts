import type { BudgetRaiseRequest, requestBudgetRaiseBody } from '@sluice/contract';
import type { z } from 'zod';
import { checkBudgetRaise, raiseBudget } from '#console/budgets/change.ts';
import { listBudgetsById } from '#console/budgets/read.ts';
import { showAmount } from '#console/budgets/terms.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import {
  closeRaiseRequest,
  insertRaiseRequest,
  type RaiseRequestFilters,
  selectRaiseRequests,
} from './store.ts';

export async function requestBudgetRaise(
  tx: TenantTransaction,
  { tenantId, userId }: Principal,
  { budget_id: budgetId, ...body }: z.output<typeof requestBudgetRaiseBody>,
): Promise<BudgetRaiseRequest> {
  const own = await listBudgetsById(tx, tenantId, { ownerId: userId });
  const raise = own.has(budgetId) ? await checkBudgetRaise(tx, tenantId, { id: budgetId, body }) : null;
  if (!raise) throw invalidField('budget_id', 'You have no budget with this ID');
  const id = await insertRaiseRequest(tx, {
    tenantId,
    budgetId,
    userId,
    limitAmount: raise.raisedLimit,
    until: raise.raisedUntil,
    reason: body.reason,
  });
  if (id === undefined)
    throw new ConsoleError(
      409,
      'You have already requested a higher limit for this budget. Wait for the decision of an administrator.',
    );
  return readRaiseRequest(tx, tenantId, id);
}

async function readRaiseRequest(
  tx: TenantTransaction,
  tenantId: number,
  id: number,
): Promise<BudgetRaiseRequest> {
  const [request] = await list(tx, tenantId, { id });
  if (!request) throw notFound('Request for a higher limit');
  return request;
}

async function list(
  tx: TenantTransaction,
  tenantId: number,
  filters: RaiseRequestFilters,
): Promise<BudgetRaiseRequest[]> {
  const rows = await selectRaiseRequests(tx, tenantId, filters);
  const ids = [...new Set(rows.map(({ request }) => request.budgetId))];
  const budgets = await listBudgetsById(tx, tenantId, { ids });
  return rows.flatMap(({ email, name, request }) => {
    const budget = budgets.get(request.budgetId);
    // Raising a retired budget has no effect.
    if (!budget) return [];
    return [
      {
        id: request.id,
        user_id: request.userId,
        user_name: name,
        user_email: email,
        budget,
        limit: showAmount(budget.measure, request.limitAmount),
        until: request.until.toISOString(),
        reason: request.reason,
        status: request.status,
        note: request.note,
        decided_at: request.decidedAt?.toISOString() ?? null,
        created_at: request.createdAt.toISOString(),
      },
    ];
  });
}

export function listOwnRaiseRequests(
  tx: TenantTransaction,
  { tenantId, userId }: Principal,
): Promise<BudgetRaiseRequest[]> {
  return list(tx, tenantId, { userId });
}

export function listRaiseRequests(
  tx: TenantTransaction,
  { tenantId }: Principal,
  filters: Pick<RaiseRequestFilters, 'status'>,
): Promise<BudgetRaiseRequest[]> {
  return list(tx, tenantId, filters);
}

interface Decision {
  readonly id: number;
  readonly decision: 'approve' | 'decline';
  readonly note: string;
}

/** An approval raises the budget in the same transaction. */
export async function decideRaiseRequest(
  tx: TenantTransaction,
  author: Principal,
  { decision, id, note }: Decision,
): Promise<BudgetRaiseRequest> {
  const { tenantId, userId: decidedBy } = author;
  const { budget, limit, reason, until, user_id } = await readRaiseRequest(tx, tenantId, id);
  if (user_id === decidedBy)
    throw new ConsoleError(403, 'You cannot decide your own request. Ask another administrator.');
  const status = decision === 'approve' ? 'approved' : 'declined';
  if (!(await closeRaiseRequest(tx, tenantId, id, { status, note: note || null, decidedBy })))
    throw new ConsoleError(409, 'This request has already been decided');
  if (decision === 'approve')
    await raiseBudget(tx, author, { id: budget.id, body: { limit, reason, until } });
  return readRaiseRequest(tx, tenantId, id);
}
