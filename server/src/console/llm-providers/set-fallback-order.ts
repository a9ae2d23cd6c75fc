import type { LlmProvider, setFallbackOrderBody } from '@sluice/contract';
import type { z } from 'zod';
import { holdLock } from '#console/advisory-lock.ts';
import { invalidField } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { toLlmProvider } from './list.ts';
import { type ProviderRow, selectProviders, setFallbackPositions } from './store.ts';

/**
 * Says in which order the tenant's instances are asked where several serve a model. Those that are not named, such as one
 * that has come meanwhile, follow in the order that they had.
 * @throws ConsoleError 422 for one that is named twice, or that the tenant does not have.
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

/** The rows come by age. */
function byPlace(left: ProviderRow, right: ProviderRow): number {
  const last = Number.MAX_SAFE_INTEGER;
  return (left.fallbackPosition ?? last) - (right.fallbackPosition ?? last);
}
