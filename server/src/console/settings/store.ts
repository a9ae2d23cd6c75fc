import { eq, sql } from 'drizzle-orm';
import { tenants } from '#db/schema/tenants.ts';
import type { TenantTransaction } from '#db/tenant.ts';

type SettingsColumn =
  | 'name'
  | 'timeZone'
  | 'deviationPolicy'
  | 'promptPrivacy'
  | 'retentionDays'
  | 'bodyRetentionDays'
  | 'usageRetentionDays'
  | 'maxOutputTokens'
  | 'trustedModels'
  | 'defaultDailyQuota'
  | 'defaultMonthlyQuota'
  | 'defaultRequestsPerHour'
  | 'usersRegenerateKeys'
  | 'apiKeysPerUser'
  | 'usersCreateKeys'
  | 'unpricedModels'
  | 'fallbackPrice'
  | 'secondFactorRoles'
  | 'acceptsRequestLabels';

export async function selectSettings(tx: TenantTransaction, tenantId: number) {
  const [row] = await tx
    .select({
      name: tenants.name,
      timeZone: tenants.timeZone,
      deviationPolicy: tenants.deviationPolicy,
      promptPrivacy: tenants.promptPrivacy,
      retentionDays: tenants.retentionDays,
      bodyRetentionDays: tenants.bodyRetentionDays,
      usageRetentionDays: tenants.usageRetentionDays,
      maxOutputTokens: tenants.maxOutputTokens,
      trustedModels: tenants.trustedModels,
      defaultDailyQuota: tenants.defaultDailyQuota,
      defaultMonthlyQuota: tenants.defaultMonthlyQuota,
      defaultRequestsPerHour: tenants.defaultRequestsPerHour,
      usersRegenerateKeys: tenants.usersRegenerateKeys,
      apiKeysPerUser: tenants.apiKeysPerUser,
      usersCreateKeys: tenants.usersCreateKeys,
      unpricedModels: tenants.unpricedModels,
      fallbackPrice: tenants.fallbackPrice,
      secondFactorRoles: tenants.secondFactorRoles,
      acceptsRequestLabels: tenants.acceptsRequestLabels,
    })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  return row;
}

export async function changeSettings(
  tx: TenantTransaction,
  tenantId: number,
  columns: {
    readonly [Column in SettingsColumn]: (typeof tenants.$inferInsert)[Column] | undefined;
  },
): Promise<void> {
  // Drizzle rejects an UPDATE statement without columns.
  if (Object.values(columns).every((value) => value === undefined)) return;
  await tx.update(tenants).set(columns).where(eq(tenants.id, tenantId));
}

export async function findTimeZone(tx: TenantTransaction, name: string): Promise<string | undefined> {
  const { rows } = await tx.execute<{ name: string }>(
    sql`SELECT name FROM pg_timezone_names WHERE lower(name) = lower(${name})`,
  );
  return rows[0]?.name;
}
