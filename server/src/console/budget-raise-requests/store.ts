import type { raiseRequestStatuses } from '@sluice/contract';
import { and, desc, eq } from 'drizzle-orm';
import { budgetRaiseRequests } from '#db/schema/budgets.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export interface RaiseRequestFilters {
  readonly id?: number | undefined;
  readonly userId?: number | undefined;
  readonly status?: (typeof raiseRequestStatuses)[number] | undefined;
}

const rowsMax = 200;

export function selectRaiseRequests(
  tx: TenantTransaction,
  tenantId: number,
  { id, status, userId }: RaiseRequestFilters,
) {
  return tx
    .select({ request: budgetRaiseRequests, name: users.name, email: users.email })
    .from(budgetRaiseRequests)
    .innerJoin(users, eq(users.id, budgetRaiseRequests.userId))
    .where(
      and(
        eq(budgetRaiseRequests.tenantId, tenantId),
        id === undefined ? undefined : eq(budgetRaiseRequests.id, id),
        userId === undefined ? undefined : eq(budgetRaiseRequests.userId, userId),
        status === undefined ? undefined : eq(budgetRaiseRequests.status, status),
      ),
    )
    .orderBy(desc(budgetRaiseRequests.id))
    .limit(rowsMax);
}

/** Inserts a request and returns its id, or `undefined` if the user already has an open request for the budget. */
export async function insertRaiseRequest(
  tx: TenantTransaction,
  values: typeof budgetRaiseRequests.$inferInsert,
): Promise<number | undefined> {
  const [row] = await tx
    .insert(budgetRaiseRequests)
    .values(values)
    .onConflictDoNothing()
    .returning({ id: budgetRaiseRequests.id });
  return row?.id;
}

/** Closes a request. Returns `false` if the request was already decided. */
export async function closeRaiseRequest(
  tx: TenantTransaction,
  tenantId: number,
  id: number,
  decision: { status: 'approved' | 'declined'; note: string | null; decidedBy: number },
): Promise<boolean> {
  const { rowCount } = await tx
    .update(budgetRaiseRequests)
    .set({ ...decision, decidedAt: new Date() })
    .where(
      and(
        eq(budgetRaiseRequests.tenantId, tenantId),
        eq(budgetRaiseRequests.id, id),
        eq(budgetRaiseRequests.status, 'open'),
      ),
    );
  return rowCount === 1;
}
