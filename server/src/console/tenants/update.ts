import type { TenantDetails, updateTenantBody } from '@sluice/contract';
import type { z } from 'zod';
import { countSeatsAlone } from '#console/users/take-seat.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import { formatSeatCount, type Seats } from '#domain/seats.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { readTenant } from './get.ts';
import { requirePlan } from './require-plan.ts';
import { changeTenant, findSubscribedPlan, lockTenant } from './store.ts';

type Body = z.output<typeof updateTenantBody>;

/**
 * Changes the given fields.
 * @throws ConsoleError 422 for a limit below current use, with the numbers.
 */
export function updateTenant(
  system: SystemDatabase,
  { actor }: SignedInContext,
  tenantId: number,
  body: Body,
): Promise<TenantDetails> {
  return changeAs(system, actor, async (tx) => {
    const tenant = await lockTenant(tx, tenantId);
    if (!tenant) throw notFound('Tenant');
    const seats = await countSeatsAlone(tx, tenantId);
    const isNewPlan = body.plan_id !== undefined && body.plan_id !== tenant.planId;
    if (isNewPlan) await requireNoSubscription(tx, tenantId, tenant.name);
    const plan = isNewPlan && body.plan_id ? await requirePlan(tx, body.plan_id) : null;
    const limits = {
      user: body.user_limit === undefined ? plan?.userLimit : body.user_limit,
      admin: body.admin_limit === undefined ? plan?.adminLimit : body.admin_limit,
    };
    requireRoom(tenant.name, seats, limits, plan?.name);
    await changeTenant(tx, tenantId, {
      name: body.name,
      slug: body.slug,
      planId: body.plan_id,
      userLimit: limits.user,
      adminLimit: limits.admin,
    });
    return readTenant(tx, tenantId);
  });
}

/** Rejects a manual plan while a subscription determines it. */
async function requireNoSubscription(tx: SystemDatabase, tenantId: number, tenant: string): Promise<void> {
  const plan = await findSubscribedPlan(tx, tenantId);
  if (!plan) return;
  throw invalidField(
    'plan_id',
    `${tenant} pays for ${plan.name} by a subscription. Change the plan of the subscription, or set limits of its own.`,
  );
}

type Limits = { readonly [Role in 'user' | 'admin']: number | null | undefined };

/** An unchanged limit may be below current use; a new one may not. */
function requireRoom(tenant: string, seats: Seats, limits: Limits, plan: string | undefined): void {
  for (const role of ['user', 'admin'] as const) {
    const limit = limits[role];
    if (limit === undefined || limit === null || limit === seats.limits[role]) continue;
    if (limit >= seats.taken[role]) continue;
    const inUse = formatSeatCount(role, seats.taken[role]);
    if (plan === undefined) {
      throw invalidField(
        `${role}_limit`,
        `${tenant} has ${inUse}; the limit cannot be ${limit}. Deactivate people first.`,
      );
    }
    throw new ConsoleError(422, [
      {
        loc: ['body', 'plan_id'],
        msg: `${plan} allows ${formatSeatCount(role, limit)}, and ${tenant} has ${inUse}. Deactivate people first, or set limits of its own.`,
        type: 'value_error',
      },
    ]);
  }
}
