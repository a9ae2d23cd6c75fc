import { type Plan, toUsd } from '@sluice/contract';
import { asc, eq } from 'drizzle-orm';
import { plans } from '#db/schema/subscriptions.ts';
import type { SystemDatabase } from '#db/system.ts';
import { notFound } from '#errors/console-error.ts';

export async function listPlans(system: SystemDatabase): Promise<Plan[]> {
  const rows = await system.select().from(plans).orderBy(asc(plans.position));
  return rows.map(toPlan);
}

export async function getPlan(system: SystemDatabase, id: string): Promise<Plan> {
  const [row] = await system.select().from(plans).where(eq(plans.id, id));
  if (!row) throw notFound('Plan');
  return toPlan(row);
}

export function toPlan({
  priceMonthly,
  priceYearly,
  userLimit,
  adminLimit,
  ...row
}: typeof plans.$inferSelect): Plan {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    price_monthly: toUsd(priceMonthly),
    price_yearly: toUsd(priceYearly),
    user_limit: userLimit,
    admin_limit: adminLimit,
  };
}
