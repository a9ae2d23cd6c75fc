import type { RoleName } from '@sluice/contract';
import { lockTenantPlan } from '#db/lock-tenant-plan.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { isSeatFree, type Seats } from '#domain/seats.ts';
import { invalidField } from '#errors/console-error.ts';
import { selectSeats } from './store.ts';

/**
 * Takes a seat of the tenant's plan for one more active person of a role; others wait until this transaction ends.
 * @throws ConsoleError 422 on `field` when the plan has none left.
 */
export async function takeSeat(
  tx: TenantTransaction,
  tenantId: number,
  role: RoleName,
  field: string,
): Promise<void> {
  await lockTenantPlan(tx, tenantId);
  await requireFreeSeat(tx, tenantId, role, field);
}

/**
 * Whether there is a seat at the moment; it may be taken when it is needed.
 * @throws ConsoleError 422 on `field` when the plan has none left.
 */
export async function requireFreeSeat(
  tx: TenantTransaction,
  tenantId: number,
  role: RoleName,
  field: string,
): Promise<void> {
  if (isSeatFree(await selectSeats(tx, tenantId), role)) return;
  const [limit, people] = role === 'admin' ? ['Admin', 'admins'] : ['User', 'users'];
  throw invalidField(field, `${limit} limit reached. Upgrade your plan to create more ${people}.`);
}

/** How many seats of each role are taken and may be, while others wait to take one until this transaction ends. */
export async function countSeatsAlone(tx: TenantTransaction, tenantId: number): Promise<Seats> {
  await lockTenantPlan(tx, tenantId);
  return selectSeats(tx, tenantId);
}

/** How many seats of each role the tenant has taken and may take. */
export function countSeats(tx: TenantTransaction, tenantId: number): Promise<Seats> {
  return selectSeats(tx, tenantId);
}
