import type { BilledTenant } from '@sluice/contract';
import { eq } from 'drizzle-orm';
import { listTenantAccounts } from '#console/credits/list-accounts.ts';
import { toCreditBalance } from '#console/credits/read.ts';
import { startExport } from '#console/exports/start-export.ts';
import { plans, subscriptions } from '#db/schema/subscriptions.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Download, SignedInContext } from '#http/console-route.ts';

export async function listBilledTenants(system: SystemDatabase): Promise<BilledTenant[]> {
  const rows = await system
    .select({ subscription: subscriptions, planName: plans.name })
    .from(subscriptions)
    .innerJoin(plans, eq(plans.id, subscriptions.planId));
  const byTenant = new Map(rows.map((row) => [row.subscription.tenantId, row]));
  return (await listTenantAccounts(system)).map(({ tenant, account }) => {
    const { subscription, planName = null } = byTenant.get(tenant.id) ?? {};
    return {
      id: tenant.id,
      name: tenant.name,
      slug: tenant.slug,
      status: tenant.status,
      created_at: tenant.createdAt.toISOString(),
      user_count: tenant.userCount,
      plan_id: subscription?.planId ?? null,
      plan_name: planName,
      subscription_status: subscription?.status ?? null,
      trial_ends_at: subscription?.trialEndsAt?.toISOString() ?? null,
      period_ends_at: subscription?.periodEndsAt?.toISOString() ?? null,
      ends_at: subscription?.endsAt?.toISOString() ?? null,
      ...toCreditBalance(account, tenant),
    };
  });
}

export async function exportBilledTenants(system: SystemDatabase, ctx: SignedInContext): Promise<Download> {
  // Read the tenants before the export starts, because each export batch holds a connection.
  const tenants = await listBilledTenants(system);
  return startExport<BilledTenant, number>(ctx, {
    noun: 'billing',
    format: 'csv',
    filters: {},
    columns: {
      id: ({ id }) => id,
      name: ({ name }) => name,
      slug: ({ slug }) => slug,
      status: ({ status }) => status,
      plan: ({ plan_name }) => plan_name,
      subscription_status: ({ subscription_status }) => subscription_status,
      trial_ends_at: ({ trial_ends_at }) => trial_ends_at,
      period_ends_at: ({ period_ends_at }) => period_ends_at,
      ends_at: ({ ends_at }) => ends_at,
      users: ({ user_count }) => user_count,
      current_balance: ({ current_balance }) => current_balance,
      lifetime_recharged: ({ lifetime_recharged }) => lifetime_recharged,
      lifetime_spent: ({ lifetime_spent }) => lifetime_spent,
      last_transaction_at: ({ last_transaction_at }) => last_transaction_at,
      created_at: ({ created_at }) => created_at,
    },
    keyOf: ({ id }) => id,
    readBatch: async (_tx, after = 0) => tenants.filter(({ id }) => id > after),
  });
}
