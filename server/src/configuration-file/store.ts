import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { budgetDefaults, budgets } from '#db/schema/budgets.ts';
import { domains, identityProviders } from '#db/schema/identity-providers.ts';
import {
  blacklistEntries,
  llmProviders,
  priceOverrides,
  providerRegistry,
  teamProviderAccess,
  userProviderAccess,
} from '#db/schema/llm-providers.ts';
import { taskAssignments, tasks } from '#db/schema/tasks.ts';
import { teamMembers, teams } from '#db/schema/teams.ts';
import { tenants } from '#db/schema/tenants.ts';
import { roles, users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export function selectDomains(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({ id: domains.id, name: domains.name })
    .from(domains)
    .where(and(eq(domains.tenantId, tenantId), isNotNull(domains.confirmedAt)))
    .orderBy(asc(domains.name));
}

export function selectTeams(tx: TenantTransaction, tenantId: number) {
  const { id, name, description, isActive, labels } = teams;
  return tx
    .select({ id, name, description, isActive, labels })
    .from(teams)
    .where(eq(teams.tenantId, tenantId))
    .orderBy(asc(teams.id));
}

/** Excludes deleted users and service accounts. */
export function selectUsers(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({ user: users, role: roles.name, team: teams.name })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .leftJoin(teams, eq(teams.id, users.ownerTeamId))
    .where(and(eq(users.tenantId, tenantId), isNull(users.deletedAt)))
    .orderBy(asc(users.id));
}

const account = { email: users.email, accountName: users.name, accountKind: users.kind };

export function selectMembers(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({
      id: teamMembers.id,
      team: teams.name,
      role: teamMembers.role,
      isActive: teamMembers.isActive,
      ...account,
    })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .innerJoin(users, eq(users.id, teamMembers.userId))
    .where(eq(teamMembers.tenantId, tenantId))
    .orderBy(asc(teamMembers.id));
}

export function selectIdentityProviders(tx: TenantTransaction, tenantId: number) {
  return tx
    .select()
    .from(identityProviders)
    .where(eq(identityProviders.tenantId, tenantId))
    .orderBy(asc(identityProviders.id));
}

export function selectProviders(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({
      row: llmProviders,
      vendor: providerRegistry.providerKey,
      vendorName: providerRegistry.displayName,
      vendorEndpoint: providerRegistry.apiEndpoint,
    })
    .from(llmProviders)
    .innerJoin(providerRegistry, eq(providerRegistry.id, llmProviders.providerRegistryId))
    .where(eq(llmProviders.tenantId, tenantId))
    .orderBy(asc(llmProviders.fallbackPosition), asc(llmProviders.id));
}

export function selectPrices(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({
      id: priceOverrides.id,
      provider: llmProviders.providerInstanceName,
      model: priceOverrides.model,
      price: priceOverrides.price,
    })
    .from(priceOverrides)
    .innerJoin(llmProviders, eq(llmProviders.id, priceOverrides.llmProviderId))
    .where(eq(priceOverrides.tenantId, tenantId))
    .orderBy(asc(priceOverrides.id));
}

export function selectUserGrants(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({
      id: userProviderAccess.id,
      provider: llmProviders.providerInstanceName,
      models: userProviderAccess.allowedModels,
      ...account,
    })
    .from(userProviderAccess)
    .innerJoin(llmProviders, eq(llmProviders.id, userProviderAccess.llmProviderId))
    .innerJoin(users, eq(users.id, userProviderAccess.userId))
    .where(and(eq(userProviderAccess.tenantId, tenantId), isNull(users.deletedAt)))
    .orderBy(asc(userProviderAccess.id));
}

export function selectTeamGrants(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({
      id: teamProviderAccess.id,
      team: teams.name,
      provider: llmProviders.providerInstanceName,
      models: teamProviderAccess.allowedModels,
    })
    .from(teamProviderAccess)
    .innerJoin(llmProviders, eq(llmProviders.id, teamProviderAccess.llmProviderId))
    .innerJoin(teams, eq(teams.id, teamProviderAccess.teamId))
    .where(eq(teamProviderAccess.tenantId, tenantId))
    .orderBy(asc(teamProviderAccess.id));
}

export function selectBlacklist(tx: TenantTransaction, tenantId: number) {
  const { id, providerKey, modelPattern, reason, description } = blacklistEntries;
  return tx
    .select({ id, providerKey, modelPattern, reason, description })
    .from(blacklistEntries)
    .where(eq(blacklistEntries.tenantId, tenantId))
    .orderBy(asc(blacklistEntries.id));
}

/** Excludes deleted tasks. */
export function selectTasks(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({ task: tasks, ...account })
    .from(tasks)
    .leftJoin(users, eq(users.id, tasks.userId))
    .where(and(eq(tasks.tenantId, tenantId), isNull(tasks.deletedAt)))
    .orderBy(asc(tasks.id));
}

/** Returns active assignments before completed ones. */
export function selectAssignments(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({
      id: taskAssignments.id,
      taskId: taskAssignments.taskId,
      status: taskAssignments.status,
      ...account,
    })
    .from(taskAssignments)
    .innerJoin(tasks, eq(tasks.id, taskAssignments.taskId))
    .innerJoin(users, eq(users.id, taskAssignments.userId))
    .where(
      and(
        eq(taskAssignments.tenantId, tenantId),
        isNull(tasks.deletedAt),
        eq(tasks.isDummyTask, false),
        sql`${taskAssignments.status} <> 'cancelled'`,
      ),
    )
    .orderBy(asc(taskAssignments.status), asc(taskAssignments.id));
}

/** Excludes budgets of API keys and those created by a default. */
export function selectBudgets(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({
      budget: budgets,
      team: teams.name,
      taskId: tasks.id,
      provider: llmProviders.providerInstanceName,
      ...account,
    })
    .from(budgets)
    .leftJoin(teams, eq(teams.id, budgets.teamId))
    .leftJoin(users, eq(users.id, budgets.userId))
    .leftJoin(tasks, and(eq(tasks.id, budgets.taskId), isNull(tasks.deletedAt)))
    .leftJoin(llmProviders, eq(llmProviders.id, budgets.llmProviderId))
    .where(and(eq(budgets.tenantId, tenantId), eq(budgets.isDefault, false), isNull(budgets.apiKeyId)))
    .orderBy(asc(budgets.id));
}

export function selectBudgetDefaults(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({ row: budgetDefaults, team: teams.name })
    .from(budgetDefaults)
    .leftJoin(teams, eq(teams.id, budgetDefaults.teamId))
    .where(eq(budgetDefaults.tenantId, tenantId))
    .orderBy(asc(budgetDefaults.id));
}

export async function selectRoleIds(tx: TenantTransaction): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.select({ id: roles.id, name: roles.name }).from(roles);
  return new Map(rows.map(({ id, name }) => [name, id]));
}

export async function selectTenant(tx: TenantTransaction, tenantId: number) {
  const { name, slug, planId, userLimit, adminLimit } = tenants;
  const [row] = await tx
    .select({ name, slug, planId, userLimit, adminLimit })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  return row;
}
