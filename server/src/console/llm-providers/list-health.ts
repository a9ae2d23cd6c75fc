import { type LlmProviderHealth, toUsd } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { selectProviders } from './store.ts';

const latestRowsMax = 20_000;

/** Returns usage of the last 24 hours by instance. The cost is nano-dollars as text. */
async function selectUsageOfDay(tx: TenantTransaction, tenantId: number) {
  const { rows } = await tx.execute<{ id: number; requests: number; errors: number; cost: string }>(sql`
    SELECT llm_provider_id AS id, sum(requests)::float8 AS requests, sum(errors)::float8 AS errors,
      sum(cost_nano_usd)::text AS cost
    FROM usage_rollups
    WHERE tenant_id = ${tenantId} AND llm_provider_id IS NOT NULL AND bucket_start >= now() - interval '24 hours'
    GROUP BY llm_provider_id`);
  return rows;
}

/** Returns models whose circuit is not closed on a live node, with the end of the cooldown. */
export async function selectCooldowns(tx: TenantTransaction, tenantId: number) {
  const { rows } = await tx.execute<{ id: number; model: string; retryAtMs: number }>(sql`
    SELECT c.llm_provider_id AS id, c.model, (extract(epoch FROM max(c.retry_at)) * 1000)::float8 AS "retryAtMs"
    FROM provider_circuits c JOIN nodes n ON n.id = c.node_id AND n.expires_at > now()
    WHERE c.tenant_id = ${tenantId}
    GROUP BY c.llm_provider_id, c.model`);
  return rows;
}

/**
 * Returns the health of each instance: request counts and spending from the rollups, latencies from the latest log
 * rows, and cooldowns on all nodes.
 */
export async function listLlmProviderHealth(
  tx: LogTransaction,
  { tenantId }: Author,
): Promise<LlmProviderHealth[]> {
  const instances = await selectProviders(tx, tenantId);
  const usage = new Map((await selectUsageOfDay(tx.reports, tenantId)).map((row) => [row.id, row]));
  const latencies = new Map((await tx.requestLog.selectLatencies(latestRowsMax)).map((row) => [row.id, row]));
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
}
