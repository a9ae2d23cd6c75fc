import type { Pricing } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { listModels } from '#domain/price/catalogue.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { openPriceBook, type PricedModel, toModelPricing } from './price-book.ts';
import { findMarkup, selectInstances } from './store.ts';

/** Returns a requested model even without a price; its key is prefixed with the provider unless one is given. */
export function getPricing(
  { principal, inTenant }: SignedInContext,
  { provider, model }: { provider?: string | undefined; model?: string | undefined },
): Promise<Pricing> {
  return inTenant(async (tx) => {
    const models = await listPricedModels(tx, principal.tenantId, provider, model);
    const entries = models
      .filter((each) => model === undefined || each.model === model)
      .map((each) => [
        provider === undefined ? `${each.provider}/${each.model}` : each.model,
        each.priced && toModelPricing(each.priced),
      ]);
    return { markup_percentage: await findMarkup(tx), models: Object.fromEntries(entries) };
  });
}

export interface ModelOfProvider {
  readonly provider: string;
  readonly model: string;
  readonly priced: PricedModel | null;
}

/** Lists the models that the tenant's instances enable, and with a provider also its models in the catalog. */
export async function listPricedModels(
  tx: TenantTransaction,
  tenantId: number,
  provider?: string,
  asked?: string,
): Promise<ModelOfProvider[]> {
  const book = await openPriceBook(tx, tenantId);
  const instances = await selectInstances(tx, tenantId);
  const enabled = instances
    .filter(({ providerKey }) => provider === undefined || providerKey === provider)
    .flatMap(({ id, providerKey, enabledModels }) =>
      enabledModels.map((model) => ({
        provider: providerKey,
        model,
        priced: book.find(providerKey, model, id),
      })),
    );
  if (provider === undefined) return enabled;
  const names = [...listModels(provider, Date.now()).map(({ model }) => model), ...(asked ? [asked] : [])];
  const listed = names.map((model) => ({ provider, model, priced: book.find(provider, model) }));
  return [...listed, ...enabled];
}
