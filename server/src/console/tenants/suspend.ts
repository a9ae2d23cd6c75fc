import type { TenantDetails } from '@sluice/contract';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { OnceContext } from '#http/console-route.ts';
import { readTenant } from './get.ts';
import { changeTenant, hasSuperAdmin, lockTenant } from './store.ts';

/** Rejects new requests with the reason from now on; updates the reason if already suspended. */
export function suspendTenant(
  system: SystemDatabase,
  ctx: OnceContext,
  tenantId: number,
  reason: string,
): Promise<TenantDetails> {
  return changeAs(system, ctx.actor, (tx) =>
    ctx.once(tx, async () => {
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
        suspendedBy: ctx.principal.userId,
      });
      return readTenant(tx, tenantId);
    }),
  );
}

/** Reactivates a tenant and resumes its trial if it was in one. */
export function reactivateTenant(
  system: SystemDatabase,
  ctx: OnceContext,
  tenantId: number,
): Promise<TenantDetails> {
  return changeAs(system, ctx.actor, (tx) =>
    ctx.once(tx, async () => {
      const tenant = await lockTenant(tx, tenantId);
      if (!tenant) throw notFound('Tenant');
      if (tenant.status === 'suspended') {
        await changeTenant(tx, tenantId, { status: tenant.statusBeforeSuspension ?? 'active' });
      }
      return readTenant(tx, tenantId);
    }),
  );
}
