import { and, eq, gt, ne, sql } from 'drizzle-orm';
import { lockTenantPlan } from '#db/lock-tenant-plan.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { SystemDatabase } from '#db/system.ts';
import { ConsoleError } from '#errors/console-error.ts';
import { countPeople, type Plan } from './store.ts';

/** Longer than all provider calls of a plan change with their retries. */
const pendingMinutes = 10;

/**
 * Applies the limits of a plan to new seats until the tenant is on it.
 * @throws ConsoleError 409 if active users exceed the plan, or another plan is pending.
 */
export async function holdPlan(tx: SystemDatabase, tenantId: number, plan: Plan): Promise<void> {
  await lockTenantPlan(tx, tenantId);
  const isPending = and(gt(tenants.pendingPlanUntil, sql`now()`), ne(tenants.pendingPlanId, plan.id));
  const [other] = await tx
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(eq(tenants.id, tenantId), isPending));
  if (other)
    throw new ConsoleError(409, 'Another change of the plan is in progress. Try again in a few minutes.', 60);
  await requireRoom(tx, tenantId, plan);
  await tx
    .update(tenants)
    .set({ pendingPlanId: plan.id, pendingPlanUntil: sql`now() + ${pendingMinutes} * interval '1 minute'` })
    .where(eq(tenants.id, tenantId));
}

/** Ends the hold of `holdPlan` after the plan change succeeded or failed. */
export async function releasePlan(tx: SystemDatabase, tenantId: number, plan: Plan): Promise<void> {
  await tx
    .update(tenants)
    .set({ pendingPlanId: null, pendingPlanUntil: null })
    .where(and(eq(tenants.id, tenantId), eq(tenants.pendingPlanId, plan.id)));
}

async function requireRoom(
  tx: SystemDatabase,
  tenantId: number,
  { name, userLimit, adminLimit }: Plan,
): Promise<void> {
  const { users, admins } = await countPeople(tx, tenantId);
  if (users <= userLimit && admins <= adminLimit) return;
  const spare = [
    users > userLimit && formatPeople(users - userLimit, 'user'),
    admins > adminLimit && formatPeople(admins - adminLimit, 'administrator'),
  ].filter((text) => text !== false);
  throw new ConsoleError(
    409,
    `The ${name} plan allows ${formatPeople(userLimit, 'user')} and ${formatPeople(adminLimit, 'administrator')}; ` +
      `${formatPeople(users, 'user')} and ${formatPeople(admins, 'administrator')} are active here. ` +
      `Deactivate ${spare.join(' and ')} first.`,
  );
}

function formatPeople(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
