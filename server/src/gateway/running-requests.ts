import type { Principal } from '#domain/principal.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { Principals } from './snapshot/principals.ts';

/** Requests that have begun, so that those whose caller may not go on are ended. */
export interface RunningRequests {
  /** Has `departure` aborted with the error to tell, should access be withdrawn before the answer's end. */
  enter(principal: Principal, departure: AbortController): RunningRequest;
  leave(request: RunningRequest): void;
  /** Looks at every running request; to be called when the snapshot has changed, so that no request asks for itself. */
  review(): void;
}

export interface RunningRequest {
  readonly departure: AbortController;
  /** Why its principal may not go on, `null` while it may. */
  readonly findEnd: () => string | null;
}

export function createRunningRequests({ follow }: Pick<Principals, 'follow'>): RunningRequests {
  const running = new Set<RunningRequest>();
  return {
    enter(principal, departure) {
      const request = { departure, findEnd: follow(principal) };
      running.add(request);
      return request;
    },
    leave(request) {
      running.delete(request);
    },
    review() {
      for (const { departure, findEnd } of running) {
        const reason = findEnd();
        if (reason !== null) departure.abort(describeWithdrawal(reason));
      }
    },
  };
}

/** What to tell a caller whose access was withdrawn; `null` for one who is there, or has left by themselves. */
export function findWithdrawal({ reason }: AbortSignal): GatewayError | null {
  return reason instanceof GatewayError ? reason : null;
}

function describeWithdrawal(reason: string): GatewayError {
  return new GatewayError('access_withdrawn', `This request was cut off: ${reason}. Ask your administrator.`);
}
