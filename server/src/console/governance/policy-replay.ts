import type { DeviationPolicy, IntentName, PolicyReplay } from '@sluice/contract';
import type { LogTransaction } from '#db/tenant.ts';
import { countRequest } from '#domain/deviation/count-request.ts';
import type { DeviationEvent } from '#domain/deviation/fold.ts';
import { judgePrompt } from '#domain/deviation/judge-prompt.ts';
import { type Crossing, createReplay } from '#domain/deviation/replay.ts';
import type { Principal } from '#domain/principal.ts';
import type { ScoredLog } from '#domain/request-log/log-rows.ts';
import { selectNames } from './store.ts';

/** Uses the recorded classifications, because prompts may be deleted. All scores start at 0. */
export async function replayPolicy(
  tx: LogTransaction,
  _author: Principal,
  { policy, days }: { policy: DeviationPolicy; days: number },
): Promise<PolicyReplay> {
  const replay = createReplay(policy);
  let requests = 0;
  for await (const log of tx.requestLog.readScored(days)) {
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

function readEvent(log: ScoredLog): DeviationEvent | null {
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

function judgeLog({ confidence, category, wording }: ScoredLog, intent: IntentName) {
  const task = category && { category, words: new Set<string>() };
  return { ...judgePrompt('', { intent, confidence: confidence ?? 0 }, task), wording: wording ?? 0 };
}

function toPolicyCrossing({ requestId, atMs, score }: Crossing) {
  return { request_id: requestId, timestamp: new Date(atMs).toISOString(), score };
}
