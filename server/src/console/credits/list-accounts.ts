import { type CreditStatistics, type LowBalanceUser, toNanoUsd, toUsd } from '@sluice/contract';
import { and, asc, count, eq } from 'drizzle-orm';
import { tenants } from '#db/schema/tenants.ts';
import { roles, users } from '#db/schema/users.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { readAccounts } from '#ledger/read.ts';

export async function listTenantAccounts(system: SystemDatabase) {
  const accounts = new Map((await readAccounts(system)).map((account) => [account.tenantId, account]));
  return (await selectTenants(system)).flatMap((tenant) => {
    const account = accounts.get(tenant.id);
    return account ? [{ tenant, account }] : [];
  });
}

/**
 * Lists tenants whose balance is at or below the threshold in dollars, lowest balance first. Uses the tenant's
 * configured threshold by default.
 */
export async function listLowBalanceUsers(
  system: SystemDatabase,
  _author: Principal,
  threshold: number | undefined,
): Promise<LowBalanceUser[]> {
  const admins = new Map((await selectFirstAdmins(system)).map((admin) => [admin.tenantId, admin]));
  const limit = threshold === undefined ? undefined : toNanoUsd(threshold);
  return (await listTenantAccounts(system))
    .filter(({ tenant, account }) => account.balance <= (limit ?? tenant.lowBalanceThreshold))
    .sort((one, other) => Number(one.account.balance - other.account.balance))
    .map(({ tenant, account }) => {
      const admin = admins.get(tenant.id);
      return {
        tenant_id: tenant.id,
        tenant_name: tenant.name,
        tenant_slug: tenant.slug,
        user_id: admin?.id ?? null,
        user_name: admin?.name ?? null,
        user_email: admin?.email ?? null,
        current_balance: toUsd(account.balance),
        low_balance_threshold: toUsd(tenant.lowBalanceThreshold),
        last_transaction_at: account.lastEntryAt?.toISOString() ?? null,
      };
    });
}

export async function getStatistics(system: SystemDatabase): Promise<CreditStatistics> {
  const all = await listTenantAccounts(system);
  const sum = (amounts: bigint[]) => toUsd(amounts.reduce((total, amount) => total + amount, 0n));
  return {
    total_tenants: all.length,
    tenants_with_credits: all.filter(({ account }) => account.balance > 0n).length,
    low_balance_tenants: all.filter(({ tenant, account }) => account.balance <= tenant.lowBalanceThreshold)
      .length,
    zero_balance_tenants: all.filter(({ account }) => account.balance <= 0n).length,
    total_balance: sum(all.map(({ account }) => account.balance)),
    total_recharged: sum(all.map(({ account }) => account.recharged)),
    total_spent: sum(all.map(({ account }) => account.spent)),
    total_refunded: sum(all.map(({ account }) => account.refunded)),
  };
}

export async function findTenantOfUser(
  database: SystemDatabase,
  userId: number,
): Promise<number | undefined> {
  const [row] = await database.select({ tenantId: users.tenantId }).from(users).where(eq(users.id, userId));
  return row?.tenantId;
}

function selectTenants(database: SystemDatabase) {
  return database
    .select({
      id: tenants.id,
      name: tenants.name,
      slug: tenants.slug,
      status: tenants.status,
      createdAt: tenants.createdAt,
      lowBalanceThreshold: tenants.lowBalanceThreshold,
      isServiceSpendingAllowed: tenants.isServiceSpendingAllowed,
      userCount: count(users.id),
    })
    .from(tenants)
    .leftJoin(users, and(eq(users.tenantId, tenants.id), eq(users.kind, 'person')))
    .groupBy(tenants.id)
    .orderBy(tenants.id);
}

function selectFirstAdmins(database: SystemDatabase) {
  return database
    .selectDistinctOn([users.tenantId], {
      tenantId: users.tenantId,
      id: users.id,
      name: users.name,
      email: users.email,
    })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(and(eq(roles.name, 'admin'), eq(users.kind, 'person'), eq(users.isActive, true)))
    .orderBy(asc(users.tenantId), asc(users.id));
}
