import type { LlmProvider, setFallbackOrderBody } from '@sluice/contract';
import type { z } from 'zod';
import { holdLock } from '#console/advisory-lock.ts';
import { invalidField } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { toLlmProvider } from './list.ts';
import { type ProviderRow, selectProviders, setFallbackPositions } from './store.ts';

/**
 * Sets the order in which instances are tried if several serve a model. Instances that are not named follow in their
 * current order.
 * @throws ConsoleError 422 for duplicates and unknown instances.
 */
export function setFallbackOrder(
  { principal: { tenantId }, inTenant }: SignedInContext,
  { llm_provider_ids: named }: z.output<typeof setFallbackOrderBody>,
): Promise<LlmProvider[]> {
  return inTenant(async (tx) => {
    await holdLock(tx, 'llmProviders', tenantId);
    const rows = await selectProviders(tx, tenantId);
    const others = new Set(rows.toSorted(byPlace).map(({ id }) => id));
    for (const id of named) if (!others.delete(id)) throw invalidField('llm_provider_ids', orderProblem);
    await setFallbackPositions(tx, tenantId, [...named, ...others]);
    return (await selectProviders(tx, tenantId)).map(toLlmProvider);
  });
}

const orderProblem = 'A provider stands here twice, or is gone. Load the providers again';

/** Falls back to the order of the rows, which is by age. */
function byPlace(left: ProviderRow, right: ProviderRow): number {
  const last = Number.MAX_SAFE_INTEGER;
  return (left.fallbackPosition ?? last) - (right.fallbackPosition ?? last);
}
