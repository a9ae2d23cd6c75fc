import type { RoleName } from '@sluice/contract';
import { lockTenantPlan } from '#db/lock-tenant-plan.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { isSeatFree, type Seats } from '#domain/seats.ts';
import { invalidField } from '#errors/console-error.ts';
import { selectSeats } from './store.ts';

/**
 * Takes a seat of the tenant's plan for an active user of a role and locks seats until the transaction ends.
 * @throws ConsoleError 422 on `field` without a free seat.
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
 * Checks for a free seat without reserving it.
 * @throws ConsoleError 422 on `field` without a free seat.
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

/** Counts taken and available seats of each role and locks seats until the transaction ends. */
export async function countSeatsAlone(tx: TenantTransaction, tenantId: number): Promise<Seats> {
  await lockTenantPlan(tx, tenantId);
  return selectSeats(tx, tenantId);
}

/** Counts taken and available seats of each role. */
export function countSeats(tx: TenantTransaction, tenantId: number): Promise<Seats> {
  return selectSeats(tx, tenantId);
}
