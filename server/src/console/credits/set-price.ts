import type { ModelPricing, setPriceBody } from '@sluice/contract';
import type { z } from 'zod';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { openPriceBook, toModelPricing } from './price-book.ts';
import { deleteOverride, putOverride, selectInstances } from './store.ts';

type Body = z.output<typeof setPriceBody>;

/**
 * Sets or resets a price and returns the model's effective price, or `null` if the price is unknown.
 * @throws ConsoleError 403 if only an operator may set the price
 */
export async function setPrice(
  system: SystemDatabase,
  ctx: SignedInContext,
  { llm_provider_id, provider = '', model, price }: Body,
): Promise<ModelPricing | null> {
  const { tenantId, userId } = ctx.principal;
  if (llm_provider_id === undefined) {
    requireOperator(ctx.principal, 'the price of a provider');
    const override = { providerKey: provider, model };
    await changeAs(system, ctx.actor, async (tx) => {
      if (price) await putOverride(tx, { ...override, price, createdBy: userId });
      else await deleteOverride(tx, override);
    });
    return ctx.inTenant((tx) => readPricing(tx, tenantId, provider, model));
  }
  return ctx.inTenant(async (tx) => {
    const { providerKey } = await setInstancePrice(tx, ctx.principal, {
      llmProviderId: llm_provider_id,
      model,
      price,
    });
    return readPricing(tx, tenantId, providerKey, model, llm_provider_id);
  });
}

interface InstancePrice {
  readonly llmProviderId: number;
  readonly model: string;
  /** New price; `null` resets to the provider's price. */
  readonly price: Body['price'];
}

/** @throws ConsoleError 404 if the tenant does not have the instance, 403 if only an operator may set its prices */
export async function setInstancePrice(
  tx: TenantTransaction,
  author: Author,
  { llmProviderId, model, price }: InstancePrice,
) {
  const [instance] = await selectInstances(tx, author.tenantId, llmProviderId);
  if (!instance) throw notFound('Provider');
  if (instance.isServiceManaged) requireOperator(author, 'the price of a service-managed provider');
  if (price)
    await putOverride(tx, {
      llmProviderId,
      model,
      tenantId: author.tenantId,
      price,
      createdBy: author.userId,
    });
  else await deleteOverride(tx, { llmProviderId, model });
  return instance;
}

function requireOperator({ role }: Author, what: string): void {
  if (role !== 'super_admin') {
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
