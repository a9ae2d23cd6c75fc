import { and, asc, eq, sql } from 'drizzle-orm';
import {
  llmProviders,
  providerRegistry,
  teamProviderAccess,
  userProviderAccess,
} from '#db/schema/llm-providers.ts';
import { teamMembers, teams } from '#db/schema/teams.ts';
import { tenants } from '#db/schema/tenants.ts';
import { roles, users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Maintenance } from '#domain/resolve-model.ts';

export async function findPerson(tx: TenantTransaction, tenantId: number, userId: number) {
  const [row] = await tx
    .select({
      name: users.name,
      role: roles.name,
      isActive: users.isActive,
      blockedReason: sql<
        string | null
      >`CASE WHEN ${users.isBlocked} THEN COALESCE(${users.blockedReason}, '') END`,
      requestsPerHour: users.requestsPerHour,
      dailyQuota: users.dailyQuota,
      monthlyQuota: users.monthlyQuota,
      tenantName: tenants.name,
      tenantStatus: tenants.status,
      suspensionReason: tenants.suspensionReason,
      timeZone: tenants.timeZone,
      isServiceSpendingAllowed: tenants.isServiceSpendingAllowed,
    })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .innerJoin(tenants, eq(tenants.id, users.tenantId))
    .where(and(eq(users.tenantId, tenantId), eq(users.id, userId)));
  return row;
}

export type PersonRow = NonNullable<Awaited<ReturnType<typeof findPerson>>>;

const readMaintenance = sql<Maintenance | null>`CASE WHEN ${llmProviders.maintenanceSince} IS NOT NULL THEN
  json_build_object('untilMs', extract(epoch FROM ${llmProviders.maintenanceUntil}) * 1000, 'reason', ${llmProviders.maintenanceReason}) END`;

export function selectInstanceStates(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({
      id: llmProviders.id,
      tenantId: llmProviders.tenantId,
      name: llmProviders.providerInstanceName,
      providerKey: providerRegistry.providerKey,
      endpoint: llmProviders.apiEndpoint,
      enabledModels: llmProviders.enabledModels,
      aliases: llmProviders.modelAliases,
      isDefault: llmProviders.isDefault,
      isServiceManaged: llmProviders.isServiceManaged,
      isSwitchedOn: llmProviders.isActive,
      vendorEndpoint: providerRegistry.apiEndpoint,
      isVendorSwitchedOn: providerRegistry.isActive,
      sealedApiKey: llmProviders.sealedApiKey,
      maintenance: readMaintenance,
      fallbackPosition: llmProviders.fallbackPosition,
      createdAtMs: sql<number>`(extract(epoch FROM ${llmProviders.createdAt}) * 1000)::float8`,
    })
    .from(llmProviders)
    .innerJoin(providerRegistry, eq(providerRegistry.id, llmProviders.providerRegistryId))
    .where(eq(llmProviders.tenantId, tenantId))
    .orderBy(asc(llmProviders.id));
}

export type InstanceStateRow = Awaited<ReturnType<typeof selectInstanceStates>>[number];

export function selectOwnGrants(tx: TenantTransaction, tenantId: number, userId: number) {
  return tx
    .select({ instanceId: userProviderAccess.llmProviderId, models: userProviderAccess.allowedModels })
    .from(userProviderAccess)
    .where(and(eq(userProviderAccess.tenantId, tenantId), eq(userProviderAccess.userId, userId)))
    .orderBy(asc(userProviderAccess.llmProviderId));
}

export function selectTeamGrants(tx: TenantTransaction, tenantId: number, userId: number) {
  return tx
    .select({
      teamId: teams.id,
      teamName: teams.name,
      instanceId: teamProviderAccess.llmProviderId,
      models: teamProviderAccess.allowedModels,
    })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .innerJoin(teamProviderAccess, eq(teamProviderAccess.teamId, teams.id))
    .where(
      and(
        eq(teamMembers.tenantId, tenantId),
        eq(teamMembers.userId, userId),
        teamMembers.isActive,
        teams.isActive,
      ),
    )
    .orderBy(asc(teamProviderAccess.llmProviderId), asc(teams.id));
}

export function selectPeople(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({ id: users.id, name: users.name, email: users.email, role: roles.name })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(and(eq(users.tenantId, tenantId), users.isActive, eq(users.isBlocked, false)))
    .orderBy(sql`lower(${users.name})`, asc(users.id));
}

export function selectAllOwnGrants(tx: TenantTransaction, tenantId: number) {
  const { userId, llmProviderId, allowedModels } = userProviderAccess;
  return tx
    .select({ userId, instanceId: llmProviderId, models: allowedModels })
    .from(userProviderAccess)
    .where(eq(userProviderAccess.tenantId, tenantId))
    .orderBy(asc(llmProviderId));
}

export function selectAllTeamGrants(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({
      userId: teamMembers.userId,
      teamId: teams.id,
      teamName: teams.name,
      instanceId: teamProviderAccess.llmProviderId,
      models: teamProviderAccess.allowedModels,
    })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .innerJoin(teamProviderAccess, eq(teamProviderAccess.teamId, teams.id))
    .where(and(eq(teamMembers.tenantId, tenantId), teamMembers.isActive, teams.isActive))
    .orderBy(asc(teamProviderAccess.llmProviderId), asc(teams.id));
}
