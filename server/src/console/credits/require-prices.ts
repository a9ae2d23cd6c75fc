import type { TenantTransaction } from '#db/tenant.ts';
import { invalidField } from '#errors/console-error.ts';
import { openPriceBook } from './price-book.ts';

/**
 * What a tenant pays for with its credits must have a price.
 * @throws ConsoleError 422 that names the first model without one.
 */
export async function requirePrices(
  tx: TenantTransaction,
  tenantId: number,
  { id, providerKey, enabledModels }: { id?: number; providerKey: string; enabledModels: readonly string[] },
): Promise<void> {
  const book = await openPriceBook(tx, tenantId);
  const unpriced = enabledModels.find((model) => book.find(providerKey, model, id) === null);
  if (unpriced !== undefined) {
    throw invalidField(
      'enabled_models',
      `No price is known for '${unpriced}', so a service-managed provider cannot offer it`,
    );
  }
}
