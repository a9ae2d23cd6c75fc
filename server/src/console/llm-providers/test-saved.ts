import type { ConnectionTest } from '@sluice/contract';
import { noteConnectionTest } from '#console/first-steps/note-connection-test.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { Keyring } from '#platform/keyring.ts';
import { openSecret, providerKeyPlace, SealBrokenError } from '#platform/seal-secret.ts';
import { type Candidate, type DiscoverModelsDeps, tryConnection } from './discover-models.ts';
import { requireProvider } from './require-provider.ts';
import { findSealedApiKey, selectProviders } from './store.ts';

export interface TestSavedDeps extends DiscoverModelsDeps {
  readonly keyring: Pick<Keyring, 'sealingKey'>;
}

/** Tests a stored instance with its own key. */
export async function testSavedLlmProvider(
  deps: TestSavedDeps,
  ctx: SignedInContext,
  id: number,
): Promise<ConnectionTest> {
  const { tenantId } = ctx.principal;
  const candidate = await ctx.inTenant((tx) => readCandidate(deps, tx, tenantId, id));
  if (candidate === null) return { success: false, available_models: [], error: unreadableKey };
  const test = await tryConnection(deps, ctx, candidate);
  if (test.success && !candidate.provider.isBuiltIn) await noteConnectionTest(ctx);
  return test;
}

const unreadableKey =
  'The stored key cannot be read with the master key of this server. Enter the key again.';

/** Returns `null` if the key was sealed with another master key. */
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
