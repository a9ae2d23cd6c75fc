import type { ProviderCall } from '#gateway/exchange.ts';

/** Returns whether the provider caused the failure, as opposed to the request or a client that disconnected. */
export function isProviderFailure({ errorCode, cause }: ProviderCall): boolean {
  return errorCode !== null && errorCode !== 'provider_rejected' && cause !== 'aborted';
}

/** Returns the instances whose last call was rejected because of their key or account, with the code. */
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
