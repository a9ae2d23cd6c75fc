import type { Principal } from '#domain/principal.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { RequestAbort } from './request-abort.ts';
import type { Principals } from './snapshot/principals.ts';

/** Running requests of this worker, which a revocation or a shutdown can cut off. */
export interface RunningRequests {
  /** The request is aborted with an error for the caller if its access is revoked before the response ends. */
  enter(principal: Principal, abort: RequestAbort): RunningRequest;
  leave(request: RunningRequest): void;
  /** Call when the snapshot has changed, since requests do not check for their own revocation. */
  endRevoked(): void;
  endAll(): void;
}

export interface RunningRequest {
  readonly abort: RequestAbort;
  /** Returns why the principal's access was revoked, or `null` if it was not. */
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

/**
 * Returns the error for a caller that this node cut off; `null` if the caller is still connected or has disconnected
 * itself.
 */
export function findCutOffError({
  hasLeft,
  reason,
}: Pick<RequestAbort, 'hasLeft' | 'reason'>): GatewayError | null {
  return !hasLeft && reason instanceof GatewayError ? reason : null;
}

function accessRevokedError(reason: string): GatewayError {
  return new GatewayError(
    'access_withdrawn',
    `This request was canceled: ${reason}. Ask your administrator.`,
  );
}

function nodeStoppedError(): GatewayError {
  return new GatewayError(
    'node_stopped',
    'This node stopped before the response was complete. Please retry: another node will handle the request.',
  );
}
