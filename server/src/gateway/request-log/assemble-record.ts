import { apiKeyIdOf } from '#domain/principal.ts';
import type { Hold } from '../allowance/hold.ts';
import { type Charge, type Ended, type Ending, type ProviderCall, unended } from '../exchange.ts';
import type { RecordedHold, RequestRecord } from './request-record.ts';

/** What is not known of a request before it ends. */
interface End {
  readonly ending: Ending;
  readonly charge: Charge;
  readonly hold: RecordedHold | null;
  readonly responseTimeMs: number;
  readonly requestBody: string | null;
}

export const noCharge: Charge = { usage: null, usageSource: 'none', costNanoUsd: null, price: null };

/** What is journaled when a request is admitted: enough for its row, should this process die. The body is left out. */
export function assembleAdmitted(exchange: Ended, hold: RecordedHold, charge: Charge): RequestRecord {
  return assemble(exchange, { ending: unended, charge, hold, responseTimeMs: 0, requestBody: null });
}

/** What is journaled when a request has ended. `used` is what it has used of each part of its hold. */
export function assembleEnded(
  exchange: Ended,
  ending: Ending,
  charge: Charge,
  used: readonly number[],
): RequestRecord {
  const { body, hold, likelyInputTokens, startedMs } = exchange;
  return assemble(exchange, {
    ending,
    charge,
    hold: hold ? recordHold(hold, likelyInputTokens ?? 0, used) : null,
    responseTimeMs: performance.now() - startedMs,
    requestBody: body?.text ?? null,
  });
}

export function recordHold(
  { nodeId, parts }: Hold,
  inputTokens: number,
  used: readonly number[] = [],
): RecordedHold {
  return {
    nodeId,
    inputTokens,
    parts: parts.map(({ lease, amount, leased }, index) => ({
      kind: lease.key.kind,
      allowanceId: lease.state?.allowanceId ?? '',
      amount,
      leased,
      used: used[index] ?? 0,
    })),
  };
}

// The one place that makes a row of what the stages have found. No part of it is spread: the engine would define each
// field behind it by itself, which took longer than all the rest.
function assemble(exchange: Ended, end: End): RequestRecord {
  const { ending, charge, hold, responseTimeMs, requestBody } = end;
  const { answer, body, calls, judgement, principal, route, summary, task } = exchange;
  const target = calls?.target ?? exchange.firstTarget;
  const instance = target?.instance;
  return {
    id: exchange.id,
    clientRequestId: exchange.clientRequestId,
    receivedAtMs: exchange.receivedAtMs,
    protocol: route.protocol.id,
    operation: route.operation,
    tenantId: principal?.tenantId ?? null,
    userId: principal?.userId ?? null,
    apiKeyId: principal ? apiKeyIdOf(principal) : null,
    taskId: task?.task.id ?? null,
    modelRequested: summary?.model ?? null,
    teamId: target?.teamId ?? null,
    llmProviderId: instance?.id ?? null,
    providerKey: instance?.providerKey ?? null,
    providerInstanceName: instance?.name ?? null,
    model: target?.model ?? null,
    isServiceManaged: instance?.isServiceManaged ?? false,
    isStream: summary?.isStream ?? false,
    status: ending.status,
    httpStatus: ending.httpStatus,
    errorCode: ending.errorCode,
    errorMessage: ending.errorMessage,
    attempts: calls?.count ?? 0,
    providerCalls: listNotable(calls?.made ?? []),
    isSent: calls?.isSent ?? false,
    repeats: 1,
    firstByteMs: answer?.firstByteMs ?? null,
    responseTimeMs,
    usage: charge.usage,
    usageSource: charge.usageSource,
    hold,
    costNanoUsd: charge.costNanoUsd,
    price: charge.price,
    intent: judgement?.intent ?? null,
    confidence: judgement?.confidence ?? null,
    signals: judgement?.signals ?? null,
    asked: judgement?.asked ?? null,
    prompt: summary?.prompt ?? null,
    response: answer?.text ?? null,
    requestBody,
    requestBytes: body?.bytes ?? 0,
    requestSha256: body?.sha256 ?? null,
    responseBytes: answer?.bytes ?? 0,
  };
}

/** One call that was answered is told by the row itself. */
function listNotable(calls: readonly ProviderCall[]): readonly ProviderCall[] | null {
  const isPlain = calls.length === 0 || (calls.length === 1 && calls[0]?.errorCode === null);
  return isPlain ? null : calls;
}
