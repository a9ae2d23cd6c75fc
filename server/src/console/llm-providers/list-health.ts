import { type LlmProviderHealth, toUsd } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { selectCooldowns, selectLatencies, selectUsageOfDay } from './health-store.ts';
import { selectProviders } from './store.ts';

/** Lists counts and spending from the rollups, latencies from the latest log rows, and cooldowns of all nodes. */
export function listLlmProviderHealth({
  principal: { tenantId },
  inTenant,
}: SignedInContext): Promise<LlmProviderHealth[]> {
  return inTenant(async (tx) => {
    const instances = await selectProviders(tx, tenantId);
    const usage = new Map((await selectUsageOfDay(tx, tenantId)).map((row) => [row.id, row]));
    const latencies = new Map((await selectLatencies(tx, tenantId)).map((row) => [row.id, row]));
    const cooldowns = await selectCooldowns(tx, tenantId);
    return instances.map(({ id, enabledModels }) => {
      const { requests, errors, cost } = usage.get(id) ?? { requests: 0, errors: 0, cost: '0' };
      const latency = latencies.get(id);
      return {
        llm_provider_id: id,
        last_success_at: latency?.lastSuccessAt ?? null,
        requests,
        error_rate: requests === 0 ? null : errors / requests,
        p50_ms: latency?.p50 ?? null,
        p95_ms: latency?.p95 ?? null,
        spend: toUsd(BigInt(cost)),
        models_in_cooldown: enabledModels.filter((model) =>
          cooldowns.some((cooldown) => cooldown.id === id && cooldown.model === model),
        ),
      };
    });
  });
}
