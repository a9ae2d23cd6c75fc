import type { BilledTenant } from '@sluice/contract';
import { eq } from 'drizzle-orm';
import { listTenantAccounts } from '#console/credits/list-accounts.ts';
import { toCreditBalance } from '#console/credits/to-resources.ts';
import { plans } from '#db/schema/plans.ts';
import { subscriptions } from '#db/schema/subscriptions.ts';
import type { SystemDatabase } from '#db/system.ts';

/** Lists all tenants with their credits, and their plans if they have one. */
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
