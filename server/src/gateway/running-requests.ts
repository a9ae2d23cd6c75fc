import type { Principal } from '#domain/principal.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { Principals } from './snapshot/principals.ts';

/** Requests that have begun, so that those whose caller may not go on are ended. */
export interface RunningRequests {
  /** Aborts with the error for the caller, should their access be revoked before the answer's end. */
  enter(principal: Principal, abortController: AbortController): RunningRequest;
  leave(request: RunningRequest): void;
  /** Looks at every running request; to be called when the snapshot has changed, so that no request asks for itself. */
  endRevoked(): void;
}

export interface RunningRequest {
  readonly abortController: AbortController;
  /** Why its principal may not go on, `null` while it may. */
  readonly findRevocation: () => string | null;
}

export function createRunningRequests({
  watchRevocation,
}: Pick<Principals, 'watchRevocation'>): RunningRequests {
  const running = new Set<RunningRequest>();
  return {
    enter(principal, abortController) {
      const request = { abortController, findRevocation: watchRevocation(principal) };
      running.add(request);
      return request;
    },
    leave(request) {
      running.delete(request);
    },
    endRevoked() {
      for (const { abortController, findRevocation } of running) {
        const reason = findRevocation();
        if (reason !== null) abortController.abort(accessRevokedError(reason));
      }
    },
  };
}

/** The error for a caller whose access was revoked; `null` for one who is there, or has left by themselves. */
export function findRevocationError({ reason }: AbortSignal): GatewayError | null {
  return reason instanceof GatewayError ? reason : null;
}

function accessRevokedError(reason: string): GatewayError {
  return new GatewayError('access_withdrawn', `This request was cut off: ${reason}. Ask your administrator.`);
}
