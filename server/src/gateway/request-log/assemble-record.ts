import { apiKeyIdOf } from '#domain/principal.ts';
import type { Hold } from '../allowance/hold.ts';
import { type Charge, type Ended, type Ending, type ProviderCall, unended } from '../exchange.ts';
import type { RecordedHold, RequestRecord } from './request-record.ts';

interface End {
  readonly ending: Ending;
  readonly charge: Charge;
  readonly hold: RecordedHold | null;
  readonly responseTimeMs: number;
  readonly requestBody: RequestRecord['requestBody'];
  readonly address: string | undefined;
}

export const noCharge: Charge = { usage: null, usageSource: 'none', costNanoUsd: null, price: null };

export function assembleAdmitted(exchange: Ended, hold: RecordedHold, charge: Charge): RequestRecord {
  return assemble(exchange, {
    ending: unended,
    charge,
    hold,
    responseTimeMs: 0,
    requestBody: null,
    address: undefined,
  });
}

/** `used` is the amount used of each part of the hold. */
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
    address: exchange.address || undefined,
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

const noTarget = { instance: undefined, model: null, teamId: null };

const targetOf = ({ calls, firstTarget }: Ended) => calls?.target ?? firstTarget ?? noTarget;

// Avoids object spread, which took longer than everything else because V8 then defines each following field
// separately.
function assemble(exchange: Ended, end: End, target = targetOf(exchange)): RequestRecord {
  const { answer, body, calls, judgment, principal, route, summary, task } = exchange;
  return {
    id: exchange.id,
    clientRequestId: exchange.clientRequestId,
    receivedAtMs: exchange.receivedAtMs,
    protocol: route.protocol.id,
    operation: route.operation,
    tenantId: principal?.tenantId ?? null,
    userId: principal?.userId ?? null,
    apiKeyId: principal ? apiKeyIdOf(principal) : null,
    address: end.address,
    taskId: task?.task.id ?? null,
    labels: exchange.labelsUnder?.(target.teamId) ?? null,
    modelRequested: summary?.model ?? null,
    teamId: target.teamId,
    llmProviderId: target.instance?.id ?? null,
    providerKey: target.instance?.providerKey ?? null,
    providerInstanceName: target.instance?.name ?? null,
    model: target.model,
    downgradedByBudgetId: exchange.routedBy?.at(-1)?.id ?? null,
    isServiceManaged: target.instance?.isServiceManaged ?? false,
    isStream: summary?.isStream ?? false,
    status: end.ending.status,
    httpStatus: end.ending.httpStatus,
    errorCode: end.ending.errorCode,
    errorMessage: end.ending.errorMessage,
    attempts: calls?.count ?? 0,
    providerCalls: listNotable(calls?.made ?? []),
    isSent: calls?.isSent ?? false,
    repeats: 1,
    firstByteMs: answer?.firstByteMs ?? null,
    responseTimeMs: end.responseTimeMs,
    usage: end.charge.usage,
    usageSource: end.charge.usageSource,
    hold: end.hold,
    costNanoUsd: end.charge.costNanoUsd,
    price: end.charge.price,
    intent: judgment?.intent ?? null,
    confidence: judgment?.confidence ?? null,
    signals: judgment?.signals ?? null,
    asked: judgment?.asked ?? null,
    prompt: summary?.prompt ?? null,
    response: answer?.text ?? null,
    requestBody: end.requestBody,
    requestBytes: body?.bytes ?? 0,
    requestSha256: body?.sha256 ?? null,
    responseBytes: answer?.bytes ?? 0,
  };
}

/** Returns `null` for no call and for a single successful call, which the row itself describes. */
function listNotable(calls: readonly ProviderCall[]): readonly ProviderCall[] | null {
  const isPlain = calls.length === 0 || (calls.length === 1 && calls[0]?.errorCode === null);
  return isPlain ? null : calls;
}
