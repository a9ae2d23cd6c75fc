import type { ModelPricing, setPriceBody } from '@sluice/contract';
import type { z } from 'zod';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { openPriceBook, toModelPricing } from './price-book.ts';
import { deleteOverride, putOverride, selectInstances } from './store.ts';

type Body = z.output<typeof setPriceBody>;

/** Sets a price and returns the model's resulting price; `null` if unknown. */
export async function setPrice(
  system: SystemDatabase,
  ctx: SignedInContext,
  { llm_provider_id, provider = '', model, price }: Body,
): Promise<ModelPricing | null> {
  const { tenantId, userId } = ctx.principal;
  if (llm_provider_id === undefined) {
    requireOperator(ctx, 'the price of a provider');
    const override = { providerKey: provider, model };
    await changeAs(system, ctx.actor, async (tx) => {
      if (price) await putOverride(tx, { ...override, price, createdBy: userId });
      else await deleteOverride(tx, override);
    });
    return ctx.inTenant((tx) => readPricing(tx, tenantId, provider, model));
  }
  return ctx.inTenant(async (tx) => {
    const [instance] = await selectInstances(tx, tenantId, llm_provider_id);
    if (!instance) throw notFound('Provider');
    if (instance.isServiceManaged) requireOperator(ctx, 'the price of a service-managed provider');
    const override = { llmProviderId: llm_provider_id, model };
    if (price) await putOverride(tx, { ...override, tenantId, price, createdBy: userId });
    else await deleteOverride(tx, override);
    return readPricing(tx, tenantId, instance.providerKey, model, llm_provider_id);
  });
}

function requireOperator({ principal }: SignedInContext, what: string): void {
  if (principal.role !== 'super_admin') {
    throw new ConsoleError(403, `Only a super administrator may set ${what}`);
  }
}

async function readPricing(
  tx: Parameters<typeof openPriceBook>[0],
  tenantId: number,
  ...model: Parameters<Awaited<ReturnType<typeof openPriceBook>>['find']>
): Promise<ModelPricing | null> {
  const priced = (await openPriceBook(tx, tenantId)).find(...model);
  return priced && toModelPricing(priced);
}
