import type { LlmProvider, setFallbackOrderBody } from '@sluice/contract';
import type { z } from 'zod';
import { holdLock } from '#console/advisory-lock.ts';
import { invalidField } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { toLlmProvider } from './list.ts';
import { selectProviders, setFallbackPositions } from './store.ts';

/**
 * Says in which order the tenant's instances are asked where several serve a model.
 * @throws ConsoleError 422 unless each of the tenant's instances is named once, since another has come or gone by then.
 */
export function setFallbackOrder(
  { principal: { tenantId }, inTenant }: SignedInContext,
  { llm_provider_ids: ids }: z.output<typeof setFallbackOrderBody>,
): Promise<LlmProvider[]> {
  return inTenant(async (tx) => {
    await holdLock(tx, 'llmProviders', tenantId);
    const named = new Set(ids);
    const rows = await selectProviders(tx, tenantId);
    if (ids.length !== rows.length || !rows.every((row) => named.has(row.id))) {
      throw invalidField('llm_provider_ids', 'The providers have changed meanwhile. Load them again');
    }
    await setFallbackPositions(tx, tenantId, ids);
    return (await selectProviders(tx, tenantId)).map(toLlmProvider);
  });
}
