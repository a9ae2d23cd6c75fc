import type { TenantDetails, updateTenantBody } from '@sluice/contract';
import type { z } from 'zod';
import { countSeatsAlone } from '#console/users/create.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Author, Principal } from '#domain/principal.ts';
import { formatSeatCount, type Seats } from '#domain/seats.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import { requirePlan } from './add-tenant.ts';
import { readTenant } from './read.ts';
import { changeTenant, findSubscribedPlan, hasSuperAdmin, lockTenant } from './store.ts';

type Body = z.output<typeof updateTenantBody>;

/**
 * @throws ConsoleError 404 if the tenant does not exist; 422 on `slug`, on `plan_id` if the tenant has a subscription,
 * or on a limit below the current use
 */
export async function updateTenant(
  tx: SystemDatabase,
  _author: Author,
  { tenantId, body }: { readonly tenantId: number; readonly body: Body },
): Promise<TenantDetails> {
  const tenant = await lockTenant(tx, tenantId);
  if (!tenant) throw notFound('Tenant');
  const seats = await countSeatsAlone(tx, tenantId);
  const isNewPlan = body.plan_id !== undefined && body.plan_id !== tenant.planId;
  if (isNewPlan) await requireNoSubscription(tx, tenantId, tenant.name);
  const plan = isNewPlan && body.plan_id != null ? await requirePlan(tx, body.plan_id) : null;
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
}

async function requireNoSubscription(tx: SystemDatabase, tenantId: number, tenant: string): Promise<void> {
  const plan = await findSubscribedPlan(tx, tenantId);
  if (!plan) return;
  throw invalidField(
    'plan_id',
    `${tenant} pays for ${plan.name} with a subscription. Change the plan of the subscription, or set custom limits.`,
  );
}

type Limits = { readonly [Role in 'user' | 'admin']: number | null | undefined };

/** Rejects a changed limit below the current use. An unchanged limit may be below the current use. */
function requireRoom(tenant: string, seats: Seats, limits: Limits, plan: string | undefined): void {
  for (const role of ['user', 'admin'] as const) {
    const limit = limits[role];
    if (limit === undefined || limit === null || limit === seats.limits[role]) continue;
    if (limit >= seats.taken[role]) continue;
    const inUse = formatSeatCount(role, seats.taken[role]);
    if (plan === undefined) {
      throw invalidField(
        `${role}_limit`,
        `${tenant} has ${inUse}; the limit cannot be ${limit}. Deactivate users first.`,
      );
    }
    throw new ConsoleError(422, [
      {
        loc: ['body', 'plan_id'],
        msg: `${plan} allows ${formatSeatCount(role, limit)}, and ${tenant} has ${inUse}. Deactivate users first, or set custom limits.`,
        type: 'value_error',
      },
    ]);
  }
}

/** Updates the reason if the tenant is already suspended. */
export async function suspendTenant(
  tx: SystemDatabase,
  author: Author,
  { tenantId, reason }: { readonly tenantId: number; readonly reason: string },
): Promise<TenantDetails> {
  const tenant = await lockTenant(tx, tenantId);
  if (!tenant) throw notFound('Tenant');
  if (await hasSuperAdmin(tx, tenantId)) {
    throw new ConsoleError(
      409,
      `${tenant.name} is the tenant of super administrators and cannot be suspended`,
    );
  }
  await changeTenant(tx, tenantId, {
    status: 'suspended',
    suspensionReason: reason,
    suspendedBy: author.userId,
  });
  return readTenant(tx, tenantId);
}

export async function reactivateTenant(
  tx: SystemDatabase,
  _author: Principal,
  tenantId: number,
): Promise<TenantDetails> {
  const tenant = await lockTenant(tx, tenantId);
  if (!tenant) throw notFound('Tenant');
  if (tenant.status === 'suspended') {
    await changeTenant(tx, tenantId, { status: tenant.statusBeforeSuspension ?? 'active' });
  }
  return readTenant(tx, tenantId);
}
