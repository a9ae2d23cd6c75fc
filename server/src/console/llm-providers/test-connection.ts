import type { ConnectionTest, testLlmProviderBody } from '@sluice/contract';
import type { z } from 'zod';
import { noteConnectionTest } from '#console/first-steps/first-steps.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { invalidField, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { Keyring } from '#platform/keyring.ts';
import { openSecret, providerKeyPlace, SealBrokenError } from '#platform/seal-secret.ts';
import { type Candidate, type DiscoverModelsDeps, tryConnection } from './discover-models.ts';
import { type CheckEndpointUrl, requireProvider, resolveEndpoint } from './endpoint.ts';
import { findSealedApiKey, selectProviders } from './store.ts';

export async function testLlmProvider(
  deps: DiscoverModelsDeps & { readonly checkEndpointUrl: CheckEndpointUrl },
  ctx: SignedInContext,
  body: z.output<typeof testLlmProviderBody>,
): Promise<ConnectionTest> {
  const provider = await ctx.inTenant((tx) => requireProvider(tx, body.provider_registry_id));
  const endpoint = resolveEndpoint(deps.checkEndpointUrl, provider, body.api_endpoint);
  if (!body.api_key && !provider.isKeyOptional) throw invalidField('api_key', 'API key is required');
  const test = await tryConnection(deps, ctx, {
    provider,
    endpoint,
    apiKey: body.api_key || null,
  });
  if (test.success && !provider.isBuiltIn) await ctx.inTenant((tx) => noteConnectionTest(tx, ctx.principal));
  return test;
}

export interface TestSavedDeps extends DiscoverModelsDeps {
  readonly keyring: Pick<Keyring, 'sealingKey'>;
}

export async function testSavedLlmProvider(
  deps: TestSavedDeps,
  ctx: SignedInContext,
  id: number,
): Promise<ConnectionTest> {
  const { tenantId } = ctx.principal;
  const candidate = await ctx.inTenant((tx) => readCandidate(deps, tx, tenantId, id));
  if (candidate === null) return { success: false, available_models: [], error: unreadableKey };
  const test = await tryConnection(deps, ctx, candidate);
  if (test.success && !candidate.provider.isBuiltIn)
    await ctx.inTenant((tx) => noteConnectionTest(tx, ctx.principal));
  return test;
}

const unreadableKey =
  'The stored key cannot be read with the master key of this server. Enter the key again.';

/** Returns the endpoint and key of a stored instance, or `null` if the key was encrypted with another master key. */
async function readCandidate(
  { keyring: { sealingKey } }: TestSavedDeps,
  tx: TenantTransaction,
  tenantId: number,
  id: number,
): Promise<Candidate | null> {
  const [row] = await selectProviders(tx, tenantId, id);
  if (!row) throw notFound('Provider');
  const provider = await requireProvider(tx, row.registryId);
  const sealed = await findSealedApiKey(tx, tenantId, id);
  try {
    const apiKey = sealed ? openSecret(sealingKey, providerKeyPlace(tenantId, id), sealed) : null;
    return { provider, endpoint: row.apiEndpoint, apiKey };
  } catch (error) {
    if (error instanceof SealBrokenError) return null;
    throw error;
  }
}
