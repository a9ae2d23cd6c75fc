import type { TenantTransaction } from '#db/tenant.ts';
import { listUnmeteredUnits } from '#domain/price/catalogue.ts';
import { invalidField } from '#errors/console-error.ts';
import { openPriceBook } from './price-book.ts';

/**
 * Requires a known price for models that are paid with credits.
 * @throws ConsoleError 422 naming the first model without a price.
 */
export async function requirePrices(
  tx: TenantTransaction,
  tenantId: number,
  { id, providerKey, enabledModels }: { id?: number; providerKey: string; enabledModels: readonly string[] },
): Promise<void> {
  const book = await openPriceBook(tx, tenantId);
  const atMs = Date.now();
  for (const model of enabledModels) {
    const [unit] = listUnmeteredUnits(providerKey, model, atMs);
    if (unit === undefined) continue;
    throw invalidField(
      'enabled_models',
      `'${model}' also costs ${unit}, which credits have no price for, so a service-managed provider cannot offer it`,
    );
  }
  const unpriced = enabledModels.find((model) => book.find(providerKey, model, id) === null);
  if (unpriced !== undefined) {
    throw invalidField(
      'enabled_models',
      `No price is known for '${unpriced}', so a service-managed provider cannot offer it`,
    );
  }
}
