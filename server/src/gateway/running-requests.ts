import type { Principal } from '#domain/principal.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { RequestAbort } from './request-abort.ts';
import type { Principals } from './snapshot/principals.ts';

/** Requests that have begun, so that they can be cut off: by a revocation, or by the end of the node. */
export interface RunningRequests {
  /** Aborts with the error for the caller, should their access be revoked before the answer's end. */
  enter(principal: Principal, abort: RequestAbort): RunningRequest;
  leave(request: RunningRequest): void;
  /** Looks at every running request; to be called when the snapshot has changed, so that no request asks for itself. */
  endRevoked(): void;
  /** The node stops, and has waited for them as long as it may. */
  endAll(): void;
}

export interface RunningRequest {
  readonly abort: RequestAbort;
  /** Why its principal may not go on, `null` while it may. */
  readonly findRevocation: () => string | null;
}

export function createRunningRequests({
  watchRevocation,
}: Pick<Principals, 'watchRevocation'>): RunningRequests {
  const running = new Set<RunningRequest>();
  return {
    enter(principal, abort) {
      const request = { abort, findRevocation: watchRevocation(principal) };
      running.add(request);
      return request;
    },
    leave(request) {
      running.delete(request);
    },
    endRevoked() {
      for (const { abort, findRevocation } of running) {
        const reason = findRevocation();
        if (reason !== null) abort.abort(accessRevokedError(reason));
      }
    },
    endAll() {
      for (const { abort } of running) abort.abort(nodeStoppedError());
    },
  };
}

/** The error for a caller whom this node has cut off; `null` for one who is there, or has left by themselves. */
export function findCutOffError({
  hasLeft,
  reason,
}: Pick<RequestAbort, 'hasLeft' | 'reason'>): GatewayError | null {
  return !hasLeft && reason instanceof GatewayError ? reason : null;
}

function accessRevokedError(reason: string): GatewayError {
  return new GatewayError('access_withdrawn', `This request was cut off: ${reason}. Ask your administrator.`);
}

function nodeStoppedError(): GatewayError {
  return new GatewayError(
    'node_stopped',
    'This node was stopped before the answer was complete. Please retry: another node will take the request.',
  );
}
