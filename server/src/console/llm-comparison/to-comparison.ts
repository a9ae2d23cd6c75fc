import { type Comparison, type ComparisonResult, toUsd } from '@sluice/contract';
import type { ComparisonRow, ResultRow } from './store.ts';

export function toComparison(row: ComparisonRow): Comparison {
  const cost = row.results.reduce((sum, { costNanoUsd }) => sum + (costNanoUsd ?? 0n), 0n);
  return {
    id: row.id,
    user_id: row.userId,
    user_name: row.userName,
    prompt: row.prompt,
    status: row.status,
    created_at: row.createdAt.toISOString(),
    providers_count: row.results.length,
    total_cost: toUsd(cost),
    results: row.results.map(toResult),
  };
}

function toResult(row: ResultRow): ComparisonResult {
  return {
    id: row.id,
    provider_registry_id: row.providerRegistryId,
    provider_name: row.providerName,
    model_name: row.modelName,
    status: row.status,
    response_text: row.responseText,
    error_message: row.errorMessage,
    cost: row.costNanoUsd === null ? null : toUsd(row.costNanoUsd),
    response_time_ms: row.responseTimeMs,
    total_tokens: row.totalTokens,
    request_id: row.requestId,
  };
}
