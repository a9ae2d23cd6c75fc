import { requireOtherBreakGlassAccount } from '#console/sign-in-policy/policy.ts';
import { lockTenantPlan } from '#db/lock-tenant-plan.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { ConsoleError } from '#errors/console-error.ts';
import { hasOtherAdministrator } from './store.ts';

/**
 * Returns whether a tenant has no other active, unblocked administrator. The caller must hold the lock on the
 * tenant's plan.
 */
export const isLastAdministrator = async (tx: TenantTransaction, tenantId: number, userId: number) =>
  !(await hasOtherAdministrator(tx, tenantId, userId));

/**
 * Ensures that an administrator remains, even if several administrators remove or block each other concurrently.
 * @throws ConsoleError 409 unless another administrator is active and not blocked; if the tenant needs a break-glass
 * account, another one must also exist
 */
export async function requireOtherAdministrator(
  tx: TenantTransaction,
  { tenantId, role }: Author,
  userId: number,
): Promise<void> {
  await lockTenantPlan(tx, tenantId);
  if (role === 'super_admin') return;
  await requireOtherBreakGlassAccount(tx, tenantId, userId);
  if (!(await isLastAdministrator(tx, tenantId, userId))) return;
  throw new ConsoleError(
    409,
    'This is the last active administrator. Make another user an administrator first.',
  );
}
