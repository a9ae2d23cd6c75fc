import type { tenantsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { type CreateTenantDeps, createTenant } from './create.ts';
import { getMyTenant, listTenants, readTenant } from './read.ts';
import { reactivateTenant, suspendTenant, updateTenant } from './update.ts';

export function createTenantsHandlers(deps: CreateTenantDeps): Handlers<typeof tenantsRoutes> {
  const { system } = deps;
  return {
    getMyTenant: (ctx) => getMyTenant(ctx),
    listTenants: (ctx, { query }) => listTenants(system, ctx, query),
    createTenant: (ctx, { body }) => createTenant(deps, ctx, body),
    getTenant: (_ctx, { params }) => readTenant(system, params.id),
    updateTenant: (ctx, { params, body }) => updateTenant(system, ctx, params.id, body),
    suspendTenant: (ctx, { params, body }) => suspendTenant(system, ctx, params.id, body.reason),
    reactivateTenant: (ctx, { params }) => reactivateTenant(system, ctx, params.id),
  };
}
