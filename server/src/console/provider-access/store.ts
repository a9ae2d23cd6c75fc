import { and, asc, count, eq, type SQL, sql } from 'drizzle-orm';
import { llmProviders, providerRegistry } from '#db/schema/llm-providers.ts';
import { teamMembers, teams } from '#db/schema/teams.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { totalCountMax } from '#domain/total-count.ts';

export type Grantee = 'user' | 'team';

const tables: Readonly<Record<Grantee, { grants: SQL; grantees: SQL; granteeId: SQL }>> = {
  user: { grants: sql`user_provider_access`, grantees: sql`users`, granteeId: sql`user_id` },
  team: { grants: sql`team_provider_access`, grantees: sql`teams`, granteeId: sql`team_id` },
};

/** Absent fields do not restrict the result. */
export interface GrantFilter extends Partial<GrantPlace> {
  /** Only returns grants with a lower id. */
  readonly before?: number | undefined;
}

export interface GrantPlace {
  readonly granteeId: number;
  readonly llmProviderId: number;
}

// biome-ignore lint/style/useConsistentTypeDefinitions: Drizzle types SQL rows as records, which interfaces are not.
export type GrantRow = {
  id: number;
  granteeId: number;
  granteeName: string;
  llmProviderId: number;
  instanceName: string;
  registryId: number;
  providerKey: string;
  allowedModels: string[];
  createdAtMs: number;
};

export async function selectGrants(
  tx: TenantTransaction,
  tenantId: number,
  grantee: Grantee,
  filter: GrantFilter,
  page: { skip: number; limit: number },
): Promise<GrantRow[]> {
  const { grants, grantees, granteeId } = tables[grantee];
  const { rows } = await tx.execute<GrantRow>(sql`
    SELECT g.id, g.${granteeId} AS "granteeId", o.name AS "granteeName", i.id AS "llmProviderId",
      i.provider_instance_name AS "instanceName", p.id AS "registryId", p.provider_key AS "providerKey",
      g.allowed_models AS "allowedModels", (extract(epoch FROM g.created_at) * 1000)::float8 AS "createdAtMs"
    FROM ${grants} g JOIN ${grantees} o ON o.id = g.${granteeId} JOIN llm_providers i ON i.id = g.llm_provider_id
    JOIN provider_registry p ON p.id = i.provider_registry_id
    WHERE ${matches(tenantId, grantee, filter)} ORDER BY g.id DESC OFFSET ${page.skip} LIMIT ${page.limit}`);
  return rows;
}

/** Counts at most `totalCountMax + 1` grants. */
export async function countGrants(
  tx: TenantTransaction,
  tenantId: number,
  grantee: Grantee,
  filter: GrantFilter,
): Promise<number> {
  const { rows } = await tx.execute<{ total: number }>(sql`
    SELECT count(*)::int AS total FROM (SELECT FROM ${tables[grantee].grants} g
      WHERE ${matches(tenantId, grantee, filter)} LIMIT ${totalCountMax + 1}) counted`);
  return rows[0]?.total ?? 0;
}

function matches(
  tenantId: number,
  grantee: Grantee,
  { granteeId, llmProviderId, before }: GrantFilter,
): SQL | undefined {
  return and(
    sql`g.tenant_id = ${tenantId}`,
    granteeId === undefined ? undefined : sql`g.${tables[grantee].granteeId} = ${granteeId}`,
    llmProviderId === undefined ? undefined : sql`g.llm_provider_id = ${llmProviderId}`,
    before === undefined ? undefined : sql`g.id < ${before}`,
  );
}

/** Returns whether the tenant has this user or team, and prevents its deletion until the transaction ends. */
export async function keepGrantee(
  tx: TenantTransaction,
  tenantId: number,
  grantee: Grantee,
  id: number,
): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    SELECT id FROM ${tables[grantee].grantees} WHERE tenant_id = ${tenantId} AND id = ${id} FOR KEY SHARE`);
  return rows.length > 0;
}

/** Returns the enabled models of an instance and locks the instance until the transaction ends. */
export async function keepEnabledModels(
  tx: TenantTransaction,
  tenantId: number,
  llmProviderId: number,
): Promise<string[] | undefined> {
  const [row] = await tx
    .select({ enabledModels: llmProviders.enabledModels })
    .from(llmProviders)
    .where(and(eq(llmProviders.tenantId, tenantId), eq(llmProviders.id, llmProviderId)))
    .for('share');
  return row?.enabledModels;
}

/** Returns `false` if the grant already exists. */
export async function insertGrant(
  tx: TenantTransaction,
  grantee: Grantee,
  grant: GrantPlace & { tenantId: number; allowedModels: string[]; createdBy: number | null },
): Promise<boolean> {
  const { grants, granteeId } = tables[grantee];
  const { rowCount } = await tx.execute(sql`
    INSERT INTO ${grants} (tenant_id, ${granteeId}, llm_provider_id, allowed_models, created_by)
    VALUES (${grant.tenantId}, ${grant.granteeId}, ${grant.llmProviderId}, ${sql.param(grant.allowedModels)}, ${grant.createdBy})
    ON CONFLICT (${granteeId}, llm_provider_id) DO NOTHING`);
  return rowCount === 1;
}

/** Returns `false` if the grant does not exist. */
export async function changeGrant(
  tx: TenantTransaction,
  tenantId: number,
  grantee: Grantee,
  place: GrantPlace,
  allowedModels: string[],
): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    UPDATE ${tables[grantee].grants} g SET allowed_models = ${sql.param(allowedModels)}
    WHERE ${matches(tenantId, grantee, place)}`);
  return rowCount === 1;
}

/** Returns `false` if the grant does not exist. */
export async function deleteGrant(
  tx: TenantTransaction,
  tenantId: number,
  grantee: Grantee,
  place: GrantPlace,
): Promise<boolean> {
  const { rowCount } = await tx.execute(
    sql`DELETE FROM ${tables[grantee].grants} g WHERE ${matches(tenantId, grantee, place)}`,
  );
  return rowCount === 1;
}

/** Returns all instances that can be granted, including disabled instances and instances of disabled providers. */
export function selectInstances(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({
      id: llmProviders.id,
      provider_registry_id: providerRegistry.id,
      provider_key: providerRegistry.providerKey,
      provider_name: providerRegistry.displayName,
      provider_instance_name: llmProviders.providerInstanceName,
      enabled_models: llmProviders.enabledModels,
      default_model: llmProviders.defaultModel,
      is_active: sql<boolean>`${llmProviders.isActive} AND ${providerRegistry.isActive}`,
    })
    .from(llmProviders)
    .innerJoin(providerRegistry, eq(providerRegistry.id, llmProviders.providerRegistryId))
    .where(eq(llmProviders.tenantId, tenantId))
    .orderBy(asc(llmProviders.id));
}

/** Includes blocked users, who can use their grants once they are unblocked. */
export function selectActiveUsers(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({ id: users.id, name: users.name, email: users.email, is_blocked: users.isBlocked })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), users.isActive))
    .orderBy(asc(sql`lower(${users.name})`), asc(users.id));
}

export function selectActiveTeams(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({ id: teams.id, name: teams.name, member_count: count(teamMembers.id) })
    .from(teams)
    .leftJoin(teamMembers, and(eq(teamMembers.teamId, teams.id), teamMembers.isActive))
    .where(and(eq(teams.tenantId, tenantId), teams.isActive))
    .groupBy(teams.id)
    .orderBy(asc(sql`lower(${teams.name})`), asc(teams.id));
}

/** Instances without grants are omitted. */
export async function countGrantsByInstance(tx: TenantTransaction, tenantId: number) {
  const grantsOf = (grantee: Grantee) =>
    sql<number>`(SELECT count(*)::int FROM ${tables[grantee].grants} g WHERE g.llm_provider_id = llm_providers.id)`;
  const rows = await tx
    .select({
      provider_key: providerRegistry.providerKey,
      provider_instance_name: llmProviders.providerInstanceName,
      user_access_count: grantsOf('user'),
      team_access_count: grantsOf('team'),
    })
    .from(llmProviders)
    .innerJoin(providerRegistry, eq(providerRegistry.id, llmProviders.providerRegistryId))
    .where(eq(llmProviders.tenantId, tenantId))
    .orderBy(asc(llmProviders.id));
  return rows.filter((row) => row.user_access_count + row.team_access_count > 0);
}

/** Counts active users who are not blocked with a direct or active team grant, and teams with a grant. */
export async function countGrantees(tx: TenantTransaction, tenantId: number) {
  const { rows } = await tx.execute<{ users: number; teams: number }>(sql`
    SELECT (SELECT count(DISTINCT team_id)::int FROM team_provider_access WHERE tenant_id = ${tenantId}) AS teams,
      (SELECT count(*)::int FROM (
        SELECT user_id FROM user_provider_access WHERE tenant_id = ${tenantId}
        UNION
        SELECT m.user_id FROM team_members m JOIN teams t ON t.id = m.team_id AND t.is_active
        JOIN team_provider_access g ON g.team_id = t.id WHERE m.tenant_id = ${tenantId} AND m.is_active
      ) people JOIN users u ON u.id = people.user_id AND u.is_active AND NOT u.is_blocked) AS users`);
  return rows[0] ?? { users: 0, teams: 0 };
}
