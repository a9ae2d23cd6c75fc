import type { Labels } from '@sluice/contract';
import type pg from 'pg';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import type { FoldedScores } from './fold-scores.ts';

const bucketMs = 15 * 60_000;

/**
 * Adds requests, and each user's deviation score after the request, to the 15-minute buckets in which the requests
 * were received. Requests with labels are also added per label.
 */
export async function addToRollups(
  client: pg.ClientBase,
  nodeSlot: number,
  records: readonly RequestRecord[],
  scores: FoldedScores['changes'] = new Map(),
): Promise<void> {
  if (records.length === 0) return;
  await client.query(upsert, [
    JSON.stringify(foldRollups(records, scores, (one) => rollupKey(one, nodeSlot))),
  ]);
  const labeled = records.filter(({ labels, status }) => labels && status !== 'refused');
  if (labeled.length === 0) return;
  const rows = foldRollups(labeled, scores, (one) => ({ ...rollupKey(one, nodeSlot), labels: one.labels }));
  await client.query(upsertLabeled, [JSON.stringify(rows.map(sumTokens))]);
}

/** Keys have the same order on every node, so that concurrent batches never deadlock. */
function foldRollups(
  records: readonly RequestRecord[],
  scores: FoldedScores['changes'],
  keyOf: (record: RequestRecord) => RollupKey,
): Rollup[] {
  const rollups = new Map<string, Rollup>();
  for (const record of records) {
    const key = keyOf(record);
    const name = JSON.stringify(key);
    const known = rollups.get(name);
    const score = scores.get(record.id)?.after;
    if (known) addTo(known, record, score);
    else rollups.set(name, addTo({ ...key, ...nothing, last_received_at: null }, record, score));
  }
  return [...rollups].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, rollup]) => rollup);
}

function sumTokens(rollup: Rollup): Rollup & { tokens: number } {
  const { input_tokens, cache_read_tokens, cache_write_tokens, output_tokens } = rollup;
  return { ...rollup, tokens: input_tokens + cache_read_tokens + cache_write_tokens + output_tokens };
}

const nothing = {
  requests: 0,
  errors: 0,
  refusals: 0,
  input_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  response_time_ms: 0,
  cost_nano_usd: 0,
  user_llm_nano_usd: 0,
  company_llm_nano_usd: 0,
  scored_requests: 0,
  score_sum: 0,
};

type RollupKey = ReturnType<typeof rollupKey> & { labels?: Labels | null | undefined };

type Rollup = RollupKey & { [Name in keyof typeof nothing]: number } & {
  last_received_at: string | null;
};

function rollupKey(record: RequestRecord, nodeSlot: number) {
  return {
    bucket_start: new Date(record.receivedAtMs - (record.receivedAtMs % bucketMs)).toISOString(),
    node_slot: nodeSlot,
    tenant_id: record.tenantId,
    user_id: record.userId,
    api_key_id: record.apiKeyId,
    team_id: record.teamId ?? null,
    task_id: record.taskId,
    llm_provider_id: record.llmProviderId,
    provider_key: record.providerKey,
    model: record.model ?? record.modelRequested,
    intent: record.intent,
  };
}

function addTo(rollup: Rollup, record: RequestRecord, score: number | undefined): Rollup {
  const { costNanoUsd, isServiceManaged, repeats, responseTimeMs, status, usage } = record;
  // A number can exactly represent costs of up to nine million dollars.
  const cost = Number(costNanoUsd ?? 0);
  rollup.cost_nano_usd += cost;
  rollup[isServiceManaged ? 'company_llm_nano_usd' : 'user_llm_nano_usd'] += cost;
  const isRefusal = status === 'refused';
  rollup.requests += isRefusal ? 0 : 1;
  rollup.refusals += isRefusal ? repeats : 0;
  rollup.errors += status === 'error' ? 1 : 0;
  rollup.response_time_ms += isRefusal ? 0 : Math.round(responseTimeMs);
  rollup.input_tokens += usage?.inputTokens ?? 0;
  rollup.cache_read_tokens += usage?.cacheReadTokens ?? 0;
  rollup.cache_write_tokens += usage?.cacheWriteTokens ?? 0;
  rollup.output_tokens += usage?.outputTokens ?? 0;
  rollup.reasoning_tokens += usage?.reasoningTokens ?? 0;
  if (!isRefusal) addUse(rollup, record, score);
  return rollup;
}

function addUse(rollup: Rollup, { receivedAtMs }: RequestRecord, score: number | undefined): void {
  const receivedAt = new Date(receivedAtMs).toISOString();
  if (rollup.last_received_at === null || rollup.last_received_at < receivedAt)
    rollup.last_received_at = receivedAt;
  if (score === undefined) return;
  rollup.scored_requests++;
  rollup.score_sum += score;
}

const keyColumns = [
  'tenant_id',
  'bucket_start',
  'node_slot',
  'user_id',
  'api_key_id',
  'team_id',
  'task_id',
  'llm_provider_id',
  'provider_key',
  'model',
  'intent',
];
const sums = Object.keys(nothing);

const labeledSums = [
  'requests',
  'tokens',
  'user_llm_nano_usd',
  'company_llm_nano_usd',
  'scored_requests',
  'score_sum',
];

function upsertInto(
  table: string,
  columns: readonly string[],
  keys: readonly string[],
  added: readonly string[],
) {
  const all = [...columns, 'last_received_at', ...added].join(', ');
  return `INSERT INTO ${table} (${all})
  SELECT ${all} FROM json_populate_recordset(NULL::${table}, $1)
  ON CONFLICT (${keys.join(', ')}) DO UPDATE SET
    last_received_at = greatest(${table}.last_received_at, EXCLUDED.last_received_at),
    ${added.map((name) => `${name} = ${table}.${name} + EXCLUDED.${name}`).join(', ')}`;
}

const upsert = upsertInto('usage_rollups', keyColumns, keyColumns, sums);
const upsertLabeled = upsertInto(
  'labeled_usage',
  [...keyColumns, 'labels'],
  [...keyColumns, 'label_set'],
  labeledSums,
);
