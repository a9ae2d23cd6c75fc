import type { ProviderCall } from '#gateway/exchange.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import type { Logger } from '#platform/logger.ts';

/** Matches a cause that looks like a name. Other causes are not logged. */
const causePattern = /^[\w.:-]{1,64}$/;

/** Omits the providers' messages, which may repeat prompts. */
export function logFailures(log: Logger, record: RequestRecord, calls: readonly ProviderCall[]): void {
  for (const call of calls) if (isProviderFailure(call)) logFailure(log, record, call, 'before_first_byte');
  const last = calls.at(-1);
  const broke = record.errorCode;
  if (last?.errorCode === null && record.status === 'error' && broke?.startsWith('upstream_'))
    logFailure(log, record, { ...last, errorCode: broke }, 'after_first_byte');
}

function logFailure(
  log: Logger,
  { id, tenantId }: RequestRecord,
  call: Omit<ProviderCall, 'errorCode'> & { errorCode: string | null },
  phase: string,
): void {
  log.warn(
    {
      requestId: id,
      tenantId,
      instanceId: call.instanceId,
      provider: call.providerKey,
      model: call.model,
      code: call.errorCode,
      httpStatus: call.httpStatus,
      cause: causePattern.test(call.cause ?? '') ? call.cause : null,
      phase,
      durationMs: Math.round(call.durationMs),
    },
    'a provider failed',
  );
}

/** False for failures caused by the request or by a disconnected client. */
function isProviderFailure({ errorCode, cause }: ProviderCall): boolean {
  return errorCode !== null && errorCode !== 'provider_rejected' && cause !== 'aborted';
}

/** Returns the instances whose last call was rejected because of their key or account, with the error code. */
export function listRefusedInstances(
  calls: readonly ProviderCall[],
): { instanceId: number; kind: IncidentKind }[] {
  const lastCalls = new Map(calls.map((call) => [call.instanceId, call]));
  return [...lastCalls.values()].flatMap(({ instanceId, errorCode }) =>
    isIncident(errorCode) ? [{ instanceId, kind: errorCode }] : [],
  );
}

export type IncidentKind = 'provider_auth_failed' | 'provider_out_of_credit';

function isIncident(code: string | null): code is IncidentKind {
  return code === 'provider_auth_failed' || code === 'provider_out_of_credit';
}
