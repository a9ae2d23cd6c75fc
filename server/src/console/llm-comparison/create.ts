import type { Comparison, createComparisonBody } from '@sluice/contract';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import { type KeptTexts, limitText } from '#domain/prompt-privacy/redact-text.ts';
import { ConsoleError, invalidField } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { ComparisonRuns, Lane } from './runs.ts';
import { findComparison, findPromptPrivacy, insertComparison, selectVendors } from './store.ts';
import { toComparison } from './to-comparison.ts';

type Body = z.output<typeof createComparisonBody>;

/** Returns before the requests finish. */
export async function createComparison(
  runs: ComparisonRuns,
  ctx: SignedInContext,
  body: Body,
): Promise<Comparison> {
  const lanes: Lane[] = [];
  const comparison = await ctx.inTenant(async (tx) => {
    const written = await writeComparison(tx, ctx, body);
    lanes.push(...written.lanes);
    return written.comparison;
  });
  runs.start(ctx, lanes);
  return comparison;
}

async function writeComparison(
  tx: TenantTransaction,
  { principal: { tenantId, userId } }: SignedInContext,
  { prompt, provider_models, is_blind: isBlind }: Body,
): Promise<{ comparison: Comparison; lanes: Lane[] }> {
  const promptPrivacy = await requireKeptTexts(tx, tenantId);
  const compared = await nameModels(tx, provider_models);
  const { id, resultIds } = await insertComparison(
    tx,
    { tenantId, userId, prompt: limitText(prompt, promptPrivacy), isBlind },
    compared.map(({ vendor, model }) => ({
      providerRegistryId: vendor.id,
      providerName: vendor.name,
      modelName: model,
    })),
  );
  const row = await findComparison(tx, { tenantId, userId }, id);
  if (!row) throw new Error('the inserted row was not found');
  const lanes = compared.map(({ vendor, model }, index) => ({
    resultId: resultIds[index] ?? '',
    model: `${vendor.key}/${model}`,
    prompt,
    promptPrivacy,
  }));
  return { comparison: toComparison(row, userId), lanes };
}

/**
 * Checks that the tenant stores texts, which comparisons and votes display.
 * @throws ConsoleError 409 if the tenant stores no texts
 */
async function requireKeptTexts(tx: TenantTransaction, tenantId: number): Promise<KeptTexts> {
  const promptPrivacy = await findPromptPrivacy(tx, tenantId);
  if (promptPrivacy !== 'metadata') return promptPrivacy;
  throw new ConsoleError(
    409,
    'Your organization stores usage figures only, but a comparison stores its prompt and responses. Ask your administrator.',
  );
}

/** @throws ConsoleError 422 if a provider is unknown or disabled */
async function nameModels(tx: TenantTransaction, named: Body['provider_models']) {
  const vendors = await selectVendors(
    tx,
    named.map(({ provider_registry_id }) => provider_registry_id),
  );
  return named.map(({ provider_registry_id, model_name }) => {
    const vendor = vendors.find(({ id }) => id === provider_registry_id);
    if (!vendor) throw invalidField('provider_models', 'This provider is not available');
    return { vendor, model: model_name };
  });
}
