import type { DeviationEvent } from './fold.ts';
import type { Asked } from './recent-asks.ts';
import type { SignalValues } from './signals.ts';

export interface EndedRequest {
  readonly id: string;
  readonly receivedAtMs: number;
  readonly status: string;
  readonly httpStatus: number;
  readonly errorCode: string | null;
  readonly repeats: number;
  /** What its prompt says; `null` when none was judged. */
  readonly signals: SignalValues | null;
  /** How it asks; `null` where nothing was judged. */
  readonly asked?: Asked | null;
}

/**
 * What an ended request counts for, `null` when it moves no score: nobody asked anything new, or it was refused for
 * limits, which a client's repeats would multiply.
 */
export function countRequest(request: EndedRequest): DeviationEvent | null {
  const values = readValues(request);
  if (values === null) return null;
  const { asked, id, receivedAtMs: atMs, repeats, status } = request;
  return { id, atMs, values, repeats, isRefused: status === 'refused', ...(asked && { asked }) };
}

/** Refusals with a 403 that are no try at what is forbidden: the person is told to say more, or is shut out. */
const innocentCodes: ReadonlySet<string | null> = new Set([
  'account_blocked',
  'access_withdrawn',
  'task_required',
  'model_not_trusted',
]);

function readValues({ errorCode, httpStatus, signals, status }: EndedRequest): SignalValues | null {
  if (status !== 'refused') return signals ?? null;
  if (errorCode === 'policy_blocked') return signals;
  if (httpStatus !== 403 || innocentCodes.has(errorCode)) return null;
  return { ...signals, refusals: 1 };
}
