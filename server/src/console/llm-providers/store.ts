import { and, asc, eq, isNotNull, ne, sql } from 'drizzle-orm';
import { llmProviders, providerKeyRefusals, providerRegistry } from '#db/schema/llm-providers.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export function selectProviders(tx: TenantTransaction, tenantId: number, id?: number) {
  return tx
    .select({
      id: llmProviders.id,
      registryId: llmProviders.providerRegistryId,
      providerKey: providerRegistry.providerKey,
      vendorName: providerRegistry.displayName,
      vendorEndpoint: providerRegistry.apiEndpoint,
      isVendorActive: providerRegistry.isActive,
      name: llmProviders.providerInstanceName,
      apiEndpoint: llmProviders.apiEndpoint,
      hasApiKey: sql<boolean>`${llmProviders.sealedApiKey} IS NOT NULL`,
      enabledModels: llmProviders.enabledModels,
      availableModels: llmProviders.availableModels,
      defaultModel: llmProviders.defaultModel,
      modelAliases: llmProviders.modelAliases,
      isDefault: llmProviders.isDefault,
      isActive: llmProviders.isActive,
      isServiceManaged: llmProviders.isServiceManaged,
      maintenanceSince: llmProviders.maintenanceSince,
      maintenanceUntil: llmProviders.maintenanceUntil,
      maintenanceReason: llmProviders.maintenanceReason,
      fallbackPosition: llmProviders.fallbackPosition,
      connectTimeoutMs: llmProviders.connectTimeoutMs,
      firstByteTimeoutMs: llmProviders.firstByteTimeoutMs,
      idleTimeoutMs: llmProviders.idleTimeoutMs,
      totalTimeoutMs: llmProviders.totalTimeoutMs,
      streamTotalTimeoutMs: llmProviders.streamTotalTimeoutMs,
      formerApiKeyExpiresAt: llmProviders.formerApiKeyExpiresAt,
      newKeyRefusedAt: providerKeyRefusals.refusedAt,
      createdAt: llmProviders.createdAt,
    })
    .from(llmProviders)
    .innerJoin(providerRegistry, eq(providerRegistry.id, llmProviders.providerRegistryId))
    .leftJoin(
      providerKeyRefusals,
      and(
        eq(providerKeyRefusals.llmProviderId, llmProviders.id),
        eq(providerKeyRefusals.overlapEndsAt, llmProviders.formerApiKeyExpiresAt),
      ),
    )
    .where(and(eq(llmProviders.tenantId, tenantId), id === undefined ? undefined : eq(llmProviders.id, id)))
    .orderBy(asc(llmProviders.id));
}

export type ProviderRow = Awaited<ReturnType<typeof selectProviders>>[number];

/** Finds a provider by id or key, unless the provider is disabled. */
export async function findVendor(tx: TenantTransaction, reference: number | string) {
  const { id, providerKey, displayName, apiEndpoint, supportedModels, isActive } = providerRegistry;
  const [row] = await tx
    .select({ id, providerKey, displayName, apiEndpoint, supportedModels })
    .from(providerRegistry)
    .where(and(typeof reference === 'number' ? eq(id, reference) : eq(providerKey, reference), isActive));
  return row;
}

/** Returns the tenant's oldest instance of a provider that uses the operator's key, or `null`. */
export async function findServiceManaged(tx: TenantTransaction, tenantId: number, registryId: number) {
  const { id, apiEndpoint, sealedApiKey } = llmProviders;
  const [row] = await tx
    .select({ id, apiEndpoint, sealedApiKey })
    .from(llmProviders)
    .where(
      and(
        eq(llmProviders.tenantId, tenantId),
        eq(llmProviders.providerRegistryId, registryId),
        llmProviders.isServiceManaged,
        isNotNull(sealedApiKey),
      ),
    )
    .orderBy(asc(id))
    .limit(1);
  return row?.sealedApiKey ? { ...row, sealedApiKey: row.sealedApiKey } : null;
}

export async function findTakenAlias(
  tx: TenantTransaction,
  tenantId: number,
  aliases: string[],
): Promise<string | undefined> {
  const rows = await tx
    .select({ modelAliases: llmProviders.modelAliases })
    .from(llmProviders)
    .where(
      and(
        eq(llmProviders.tenantId, tenantId),
        sql`${llmProviders.modelAliases} ?| ${sql.param(aliases)}::text[]`,
      ),
    );
  return aliases.find((alias) => rows.some(({ modelAliases }) => Object.hasOwn(modelAliases, alias)));
}

export async function clearDefault(
  tx: TenantTransaction,
  tenantId: number,
  registryId: number,
): Promise<void> {
  await tx
    .update(llmProviders)
    .set({ isDefault: false })
    .where(
      and(
        eq(llmProviders.tenantId, tenantId),
        eq(llmProviders.providerRegistryId, registryId),
        llmProviders.isDefault,
      ),
    );
}

/** Inserts an instance. Returns `false` if the tenant already has an instance with this name. */
export async function insertProvider(
  tx: TenantTransaction,
  values: typeof llmProviders.$inferInsert & { id: number },
): Promise<boolean> {
  const rows = await tx
    .insert(llmProviders)
    .overridingSystemValue()
    .values(values)
    .onConflictDoNothing()
    .returning({ id: llmProviders.id });
  return rows.length > 0;
}

export async function isNameTaken(
  tx: TenantTransaction,
  tenantId: number,
  name: string,
  ownId: number,
): Promise<boolean> {
  const rows = await tx
    .select({ id: llmProviders.id })
    .from(llmProviders)
    .where(
      and(
        eq(llmProviders.tenantId, tenantId),
        ne(llmProviders.id, ownId),
        sql`name_key(${llmProviders.providerInstanceName}) = name_key(${name})`,
      ),
    );
  return rows.length > 0;
}

export async function updateProvider(
  tx: TenantTransaction,
  tenantId: number,
  id: number,
  changes: Partial<typeof llmProviders.$inferInsert>,
): Promise<void> {
  await tx
    .update(llmProviders)
    .set(changes)
    .where(and(eq(llmProviders.tenantId, tenantId), eq(llmProviders.id, id)));
}

/** Returns the encrypted key of an instance; `undefined` if the instance has no key. */
export async function findSealedApiKey(
  tx: TenantTransaction,
  tenantId: number,
  id: number,
): Promise<Buffer | undefined> {
  const [row] = await tx
    .select({ sealedApiKey: llmProviders.sealedApiKey })
    .from(llmProviders)
    .where(and(eq(llmProviders.tenantId, tenantId), eq(llmProviders.id, id)));
  return row?.sealedApiKey ?? undefined;
}

export async function setFallbackPositions(
  tx: TenantTransaction,
  tenantId: number,
  ids: readonly number[],
): Promise<void> {
  await tx.execute(sql`
    UPDATE llm_providers p SET fallback_position = placed.position
    FROM unnest(${sql.param(ids)}::integer[]) WITH ORDINALITY AS placed (id, position)
    WHERE p.tenant_id = ${tenantId} AND p.id = placed.id AND p.fallback_position IS DISTINCT FROM placed.position`);
}

export async function deleteProvider(tx: TenantTransaction, tenantId: number, id: number): Promise<void> {
  await tx.delete(llmProviders).where(and(eq(llmProviders.tenantId, tenantId), eq(llmProviders.id, id)));
}

export async function selectAffectedUsers(tx: TenantTransaction, tenantId: number, llmProviderId: number) {
  const { rows } = await tx.execute<{ user_id: number; user_name: string; user_email: string }>(sql`
    SELECT u.id AS user_id, u.name AS user_name, u.email AS user_email FROM users u
    WHERE u.tenant_id = ${tenantId} AND u.is_active AND NOT u.is_blocked AND u.id IN (
      SELECT user_id FROM user_provider_access WHERE llm_provider_id = ${llmProviderId}
      UNION
      SELECT m.user_id FROM team_provider_access g JOIN teams t ON t.id = g.team_id AND t.is_active
      JOIN team_members m ON m.team_id = t.id AND m.is_active WHERE g.llm_provider_id = ${llmProviderId}
    ) ORDER BY lower(u.name), u.id`);
  return rows;
}

export async function selectAffectedTeams(tx: TenantTransaction, tenantId: number, llmProviderId: number) {
  const { rows } = await tx.execute<{ team_id: number; team_name: string }>(sql`
    SELECT t.id AS team_id, t.name AS team_name FROM teams t JOIN team_provider_access g ON g.team_id = t.id
    WHERE t.tenant_id = ${tenantId} AND g.llm_provider_id = ${llmProviderId} ORDER BY lower(t.name), t.id`);
  return rows;
}

export function selectActiveVendors(tx: TenantTransaction) {
  const { providerKey, displayName, isActive, id } = providerRegistry;
  return tx
    .select({ providerKey, displayName })
    .from(providerRegistry)
    .where(eq(isActive, true))
    .orderBy(asc(id));
}

/**
 * Counts active, unblocked users with the role `user` who have access to each model of an instance, directly or
 * through an active team.
 */
export async function countPermittedUsers(tx: TenantTransaction, tenantId: number) {
  const { rows } = await tx.execute<{ id: number; model: string; users: number }>(sql`
    WITH people AS MATERIALIZED (
      SELECT id FROM users WHERE tenant_id = ${tenantId} AND is_active AND NOT is_blocked
        AND role_id = (SELECT id FROM roles WHERE name = 'user')
    )
    SELECT g.id, g.model, count(DISTINCT g.user_id)::int AS users FROM (
      SELECT a.llm_provider_id AS id, unnest(a.allowed_models) AS model, a.user_id FROM user_provider_access a
      WHERE a.tenant_id = ${tenantId} AND a.user_id = ANY (ARRAY(SELECT id FROM people))
      UNION ALL
      SELECT a.llm_provider_id, unnest(a.allowed_models), m.user_id FROM team_provider_access a
      JOIN teams t ON t.id = a.team_id AND t.is_active JOIN team_members m ON m.team_id = t.id AND m.is_active
      WHERE a.tenant_id = ${tenantId} AND m.user_id = ANY (ARRAY(SELECT id FROM people))
    ) g
    GROUP BY g.id, g.model`);
  return rows;
}

/** Counts active, unblocked administrators, who do not need grants. */
export async function countAdministrators(tx: TenantTransaction, tenantId: number): Promise<number> {
  const { rows } = await tx.execute<{ total: number }>(sql`
    SELECT count(*)::int AS total FROM users u JOIN roles r ON r.id = u.role_id AND r.name <> 'user'
    WHERE u.tenant_id = ${tenantId} AND u.is_active AND NOT u.is_blocked`);
  return rows[0]?.total ?? 0;
}
