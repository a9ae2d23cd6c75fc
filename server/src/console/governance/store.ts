import type { RoleName } from '@sluice/contract';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { tasks } from '#db/schema/tasks.ts';
import { tenants } from '#db/schema/tenants.ts';
import { roles, users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { DeviationState } from '#domain/deviation/fold.ts';

/** Returns the stored policy without validation. */
export async function selectPolicy(tx: TenantTransaction, tenantId: number): Promise<unknown> {
  const [row] = await tx
    .select({ policy: tenants.deviationPolicy })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  return row?.policy;
}

const judgedColumns = {
  id: tasks.id,
  title: tasks.title,
  description: tasks.description,
  category: tasks.category,
  isApiAccess: tasks.isDummyTask,
};

export async function findTask(tx: TenantTransaction, taskId: number) {
  const [row] = await tx
    .select(judgedColumns)
    .from(tasks)
    .where(and(eq(tasks.id, taskId), isNull(tasks.deletedAt)));
  return row;
}

export async function findStanding(
  tx: TenantTransaction,
  userId: number,
): Promise<(DeviationState & { role: RoleName }) | undefined> {
  const [row] = await tx
    .select({
      role: roles.name,
      score: users.deviationScore,
      scoredAt: users.deviationScoredAt,
      pace: users.deviationPace,
    })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(eq(users.id, userId));
  return row && { ...row, scoredAtMs: row.scoredAt?.getTime() ?? null };
}

export async function selectNames(tx: TenantTransaction, userIds: readonly number[]) {
  if (userIds.length === 0) return new Map<number, { name: string; email: string }>();
  const rows = await tx
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(inArray(users.id, [...userIds]));
  return new Map(rows.map((row) => [row.id, row]));
}
