import { eq, inArray, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { apiKeys } from '#db/schema/api-keys.ts';
import { budgets } from '#db/schema/budgets.ts';
import { llmProviders } from '#db/schema/llm-providers.ts';
import { taskAssignments, tasks } from '#db/schema/tasks.ts';
import { teamMembers, teams } from '#db/schema/teams.ts';
import { tenants } from '#db/schema/tenants.ts';
import { users } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export async function selectTenant(system: SystemDatabase, tenantId: number) {
  const [tenant] = await system
    .select({
      slug: tenants.slug,
      timeZone: tenants.timeZone,
      nowMs: sql`floor(extract(epoch FROM now()) * 1000)`.mapWith(Number),
    })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  if (!tenant) throw new Error('The tenant no longer exists.');
  return tenant;
}

export function selectTeamNames(tx: TenantTransaction, tenantId: number) {
  return tx.select({ id: teams.id, name: teams.name }).from(teams).where(eq(teams.tenantId, tenantId));
}

export function selectUsers(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      kind: users.kind,
      isDeleted: sql<boolean>`${users.deletedAt} IS NOT NULL`,
    })
    .from(users)
    .where(eq(users.tenantId, tenantId));
}

export function selectMemberships(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({ teamId: teamMembers.teamId, userId: teamMembers.userId })
    .from(teamMembers)
    .where(eq(teamMembers.tenantId, tenantId));
}

/** Returns the ids of users with an API access task, active or not. */
export async function selectTaskOwners(tx: TenantTransaction, tenantId: number): Promise<Set<number>> {
  const rows = await tx
    .select({ userId: taskAssignments.userId })
    .from(taskAssignments)
    .innerJoin(tasks, eq(tasks.id, taskAssignments.taskId))
    .where(sql`${taskAssignments.tenantId} = ${tenantId} AND ${tasks.isDummyTask}`);
  return new Set(rows.map(({ userId }) => userId));
}

export function selectInstances(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({
      id: llmProviders.id,
      name: llmProviders.providerInstanceName,
      models: llmProviders.enabledModels,
    })
    .from(llmProviders)
    .where(eq(llmProviders.tenantId, tenantId));
}

/** The map keys are hashes in base64. */
export async function selectKeysByHash(
  tx: TenantTransaction,
  tenantId: number,
  hashes: Buffer[],
): Promise<Map<string, number>> {
  const rows = await tx
    .select({ id: apiKeys.id, tenantId: apiKeys.tenantId, hash: apiKeys.keyHash })
    .from(apiKeys)
    .where(inArray(apiKeys.keyHash, hashes));
  return new Map(
    rows.filter((row) => row.tenantId === tenantId).map(({ id, hash }) => [hash.toString('base64'), id]),
  );
}

export function selectBudgetRows(tx: TenantTransaction, tenantId: number) {
  return tx.select().from(budgets).where(eq(budgets.tenantId, tenantId));
}

/** Records the spend before the import in the window that starts at `windowStart`; `null` for a total budget. */
export async function openBudget(
  tx: NodePgDatabase,
  { budgetId, windowStart, amount }: { budgetId: number; windowStart: Date | null; amount: number },
): Promise<void> {
  const start = windowStart?.toISOString() ?? '-infinity';
  await tx.execute(sql`SELECT open_budget(${budgetId}::int, ${start}::timestamptz, ${amount}::bigint)`);
}
