import type { DeviationPolicy, IntentName, PolicyReplay, RoleName, taskCategories } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';
import { countRequest } from '#domain/deviation/count-request.ts';
import type { DeviationEvent } from '#domain/deviation/fold.ts';
import { judgePrompt } from '#domain/deviation/judge-prompt.ts';
import { type Crossing, createReplay } from '#domain/deviation/replay.ts';
import type { Principal } from '#domain/principal.ts';
import { selectNames } from './store.ts';

/** Log fields of a request that changed a score. */
interface CountedLog extends Record<string, unknown> {
  readonly id: string;
  readonly user_id: number;
  readonly role: RoleName;
  readonly received_at_ms: number;
  readonly status: string;
  readonly http_status: number;
  readonly error_code: string | null;
  readonly repeats: number;
  readonly intent: IntentName | null;
  readonly confidence: number | null;
  readonly category: (typeof taskCategories)[number] | null;
  readonly wording: number | null;
}

const pageRows = 5_000;

/**
 * Yields a tenant's requests of the last days that changed a score, in order of admission, a few thousand at a time.
 */
async function* readCountedLogs(
  tx: TenantTransaction,
  tenantId: number,
  days: number,
): AsyncGenerator<CountedLog> {
  await tx.execute(sql`DECLARE counted_logs NO SCROLL CURSOR FOR
    SELECT l.id, l.user_id, r.name AS role, (extract(epoch FROM l.received_at) * 1000)::float8 AS received_at_ms, l.status, l.http_status,
      l.error_code, l.repeats, l.intent_classification AS intent, l.confidence_score AS confidence, t.category,
      (jsonb_path_query_first(l.deviation_receipts, '$[*] ? (@.name == "wording").value'))::float8 AS wording
    FROM request_logs l JOIN users u ON u.id = l.user_id JOIN roles r ON r.id = u.role_id
      LEFT JOIN tasks t ON t.id = l.task_id
    WHERE l.tenant_id = ${tenantId} AND l.id >= uuid_floor(now() - make_interval(days => ${days}::integer))
      AND l.user_id IS NOT NULL AND l.user_score_after IS NOT NULL
    ORDER BY l.received_at, l.id`);
  while (true) {
    const { rows } = await tx.execute<CountedLog>(sql.raw(`FETCH ${pageRows} FROM counted_logs`));
    yield* rows;
    if (rows.length < pageRows) return;
  }
}

/**
 * Replays the requests of the last days under a proposed policy by the gateway's rules. Uses the recorded
 * classifications, since texts may be deleted; all scores start at 0.
 */
export async function replayPolicy(
  tx: TenantTransaction,
  author: Principal,
  { policy, days }: { policy: DeviationPolicy; days: number },
): Promise<PolicyReplay> {
  const replay = createReplay(policy);
  let requests = 0;
  for await (const log of readCountedLogs(tx, author.tenantId, days)) {
    const event = readEvent(log);
    if (!event) continue;
    requests++;
    replay.add(log.user_id, event, log.role);
  }
  const reached = replay.list().flatMap(({ warned, ...person }) => (warned ? [{ ...person, warned }] : []));
  const names = await selectNames(
    tx,
    reached.map(({ userId }) => userId),
  );
  return {
    requests,
    people: reached.map(({ userId, requests: count, highest, warned, blocked }) => ({
      user_id: userId,
      user_name: names.get(userId)?.name ?? '',
      user_email: names.get(userId)?.email ?? '',
      requests: count,
      highest_score: highest,
      warned: toPolicyCrossing(warned),
      blocked: blocked && toPolicyCrossing(blocked),
    })),
  };
}

function readEvent(log: CountedLog): DeviationEvent | null {
  return countRequest({
    id: log.id,
    receivedAtMs: log.received_at_ms,
    status: log.status,
    httpStatus: log.http_status,
    errorCode: log.error_code,
    repeats: log.repeats,
    signals: log.intent === null ? null : judgeLog(log, log.intent),
  });
}

function judgeLog({ confidence, category, wording }: CountedLog, intent: IntentName) {
  const task = category && { category, words: new Set<string>() };
  return { ...judgePrompt('', { intent, confidence: confidence ?? 0 }, task), wording: wording ?? 0 };
}

function toPolicyCrossing({ requestId, atMs, score }: Crossing) {
  return { request_id: requestId, timestamp: new Date(atMs).toISOString(), score };
}
