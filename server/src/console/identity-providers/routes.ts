import type { createIdentityProviderBody, identityProvidersRoutes } from '@sluice/contract';
import type { z } from 'zod';
import type { FinishDeps } from '#console/sign-ins/finish.ts';
import { finishTest } from '#console/sign-ins/finish-test.ts';
import { startTest } from '#console/sign-ins/start.ts';
import type { Handlers, IdempotentContext, SignedInContext } from '#http/console-route.ts';
import { outside, read, write } from '#http/verbs.ts';
import { requireEffect } from '#outbound/take-effect.ts';
import {
  createIdentityProvider,
  deleteIdentityProvider,
  listIdentityProviders,
  requireProvider,
  type UpdateInput,
  updateIdentityProvider,
} from './change.ts';
import { type CheckIssuerDeps, checkIssuer } from './check-issuer.ts';

type Deps = FinishDeps & CheckIssuerDeps;

export function createIdentityProvidersHandlers(deps: Deps): Handlers<typeof identityProvidersRoutes> {
  return {
    listIdentityProviders: read(listIdentityProviders.bind(null, deps)),
    createIdentityProvider: outside('asks an identity provider', (ctx, { body }) => create(deps, ctx, body)),
    updateIdentityProvider: outside('asks an identity provider', (ctx, { params, body }) =>
      update(deps, ctx, { id: params.id, body }),
    ),
    deleteIdentityProvider: write(deleteIdentityProvider, ({ params }) => params.id),
    testIdentityProvider: outside('asks an identity provider', (ctx, { params }) =>
      test(deps, ctx, params.id),
    ),
    finishIdentityProviderTest: outside('asks an identity provider', (ctx, { body }) =>
      finishTest(deps, ctx, body),
    ),
  };
}

async function create(deps: Deps, ctx: IdempotentContext, body: z.output<typeof createIdentityProviderBody>) {
  const { principal, inTenant, readInTenant } = ctx;
  const issuer = await checkIssuer(deps, { principal, inTenant: readInTenant }, body.issuer);
  return inTenant((tx) => createIdentityProvider(deps, tx, principal, { ...body, issuer }));
}

/** Only a changed issuer is checked, so that a provider can be edited while it is unavailable. */
async function update(deps: Deps, ctx: SignedInContext, { id, body }: UpdateInput) {
  const { principal, inTenant } = ctx;
  const known = await inTenant((tx) => requireProvider(tx, principal, id));
  const isNew = body.issuer !== undefined && body.issuer !== known.issuer;
  const issuer = isNew ? { issuer: await checkIssuer(deps, ctx, body.issuer ?? '') } : {};
  return inTenant((tx) => updateIdentityProvider(deps, tx, principal, { id, body: { ...body, ...issuer } }));
}

async function test(deps: Deps, { principal, inTenant }: SignedInContext, id: number) {
  await inTenant(async (tx) => {
    const { issuer } = await requireProvider(tx, principal, id);
    const { tenantId, userId: actorId } = principal;
    const recipient = new URL(issuer).hostname;
    await requireEffect(tx, { effect: 'connection_test', tenantId, actorId, recipient });
  });
  return startTest(deps, principal, id);
}
