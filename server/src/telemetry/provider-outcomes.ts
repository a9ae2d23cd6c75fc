import type { ProviderCall } from '#gateway/exchange.ts';

/** A call that failed by the provider's doing: not by the request, and not because its caller left. */
export function isProviderFailure({ errorCode, cause }: ProviderCall): boolean {
  return errorCode !== null && errorCode !== 'provider_rejected' && cause !== 'aborted';
}

/** The instances whose last call was refused for their key or their account, and with which code. */
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
