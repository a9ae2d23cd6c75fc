import type { IntentName } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import type { ScoredLog, ServedLog } from '#domain/request-log/log-rows.ts';
import type { ServedFilter } from '#domain/request-log/tenant-log.ts';
import { chooseUsage, tokens } from './conditions.ts';
import type { LogAccess } from './lists.ts';
import { readCategories, readFloor, readRoles } from './names.ts';
import { toRowId, toUuid } from './row-id.ts';

const daysAgo = (days: number) => sql`now() - make_interval(days => ${days}::integer)`;
/** Time of receipt in milliseconds with a fraction, as returned by PostgreSQL. */
const receivedMs = 'toUnixTimestamp64Micro(received_at) / 1000';

interface StoredScored extends Omit<ScoredLog, 'role' | 'category'> {
  readonly task_id: number | null;
}

export async function* readScored(
  { tx, tenantId, rows }: LogAccess,
  days: number,
): AsyncGenerator<ScoredLog> {
  const since = await readFloor(tx, daysAgo(days));
  const roles = await readRoles(tx, tenantId);
  const categories = await readCategories(tx, tenantId);
  const scored = rows.stream<StoredScored>(
    `SELECT id, assumeNotNull(user_id) AS user_id, ${receivedMs} AS received_at_ms, status, http_status, error_code, repeats,
       intent_classification AS intent, confidence_score AS confidence, task_id,
       JSONExtract(arrayFirst(receipt -> JSONExtractString(receipt, 'name') = 'wording',
         JSONExtractArrayRaw(coalesce(deviation_receipts, '[]'))), 'value', 'Nullable(Float64)') AS wording
     FROM request_logs
     WHERE id >= {since:UInt128} AND user_id IS NOT NULL AND user_score_after IS NOT NULL
     ORDER BY received_at, id`,
    { since: toRowId(since) },
  );
  for await (const { task_id: taskId, intent, ...row } of scored) {
    const role = roles.get(row.user_id);
    if (role === undefined) continue;
    // safe because the gateway only writes names of intents
    const name = intent as IntentName | null;
    const category = taskId === null ? null : (categories.get(taskId) ?? null);
    yield { ...row, id: toUuid(row.id), intent: name, role, category };
  }
}

const amounts = {
  usd: 'coalesce(cost_nano_usd, 0)',
  tokens,
  requests: '1',
  parallel_requests: '1',
} as const;

export async function* readServed(
  { tx, rows }: LogAccess,
  { amount, countsRequests, llmProviderId, since, days, limit, ...subject }: ServedFilter,
): AsyncGenerator<ServedLog> {
  const { sql: ofSubject, params } = chooseUsage(subject);
  // A `tokens.count` request uses no tokens. It also has no attempts if the gateway itself counted the tokens.
  const counted = countsRequests
    ? "(attempts > 0 OR operation = 'tokens.count' AND status = 'success')"
    : "attempts > 0 AND operation <> 'tokens.count'";
  const ofProvider = llmProviderId === null ? '' : 'AND llm_provider_id = {instance:Int32}';
  const sinceStart = since === null ? '' : 'AND toUnixTimestamp64Micro(received_at) >= {start:Int64}';
  yield* rows.stream<ServedLog>(
    `SELECT user_id AS "userId", floor(${receivedMs}) AS "atMs", coalesce(model, '') AS model,
       coalesce(model_requested, model, '') AS requested, toFloat64(${amounts[amount]}) AS amount,
       ${receivedMs} + toFloat64(response_time_ms) AS "endedAtMs"
     FROM request_logs
     WHERE id >= {first:UInt128} AND status <> 'refused' AND ${counted} AND ${ofSubject} ${ofProvider} ${sinceStart}
     ORDER BY received_at, id LIMIT ${limit}`,
    {
      ...params,
      first: toRowId(await readFloor(tx, daysAgo(days))),
      ...(llmProviderId !== null && { instance: llmProviderId }),
      ...(since !== null && { start: BigInt(Date.parse(since)) * 1000n }),
    },
  );
}
