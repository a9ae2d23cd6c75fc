import type { tenantsRoutes } from '@sluice/contract';
import { createAcrossTenants } from '#console/across-tenants.ts';
import { hashNewPassword } from '#console/users/change-password.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Handlers } from '#http/console-route.ts';
import { read } from '#http/verbs.ts';
import type { PasswordHasher } from '#platform/password.ts';
import { type CreateTenantDeps, createTenant } from './create.ts';
import { getMyTenant, listTenants, readTenant } from './read.ts';
import { reactivateTenant, suspendTenant, updateTenant } from './update.ts';

interface TenantsDeps extends CreateTenantDeps {
  readonly system: SystemDatabase;
  readonly passwords: Pick<PasswordHasher, 'hash'>;
}

export function createTenantsHandlers(deps: TenantsDeps): Handlers<typeof tenantsRoutes> {
  const { system, passwords } = deps;
  const acrossTenants = createAcrossTenants(system);
  return {
    getMyTenant: read(getMyTenant),
    listTenants: acrossTenants(listTenants, ({ query }) => query),
    createTenant: acrossTenants(createTenant.bind(null, deps), async ({ body }, { principal }) => {
      const { administrator_password: password } = body;
      const hash = () => hashNewPassword(passwords, principal, password ?? '', 'administrator_password');
      return { body, passwordHash: password === undefined ? null : await hash() };
    }),
    getTenant: acrossTenants(
      (tx, _author, id: number) => readTenant(tx, id),
      ({ params }) => params.id,
    ),
    updateTenant: acrossTenants(updateTenant, ({ params, body }) => ({ tenantId: params.id, body })),
    suspendTenant: acrossTenants(suspendTenant, ({ params, body }) => ({
      tenantId: params.id,
      reason: body.reason,
    })),
    reactivateTenant: acrossTenants(reactivateTenant, ({ params }) => params.id),
  };
}
