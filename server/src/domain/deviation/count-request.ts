import type { DeviationEvent, TextOrigin } from './fold.ts';
import type { SignalValues } from './signals.ts';

export interface EndedRequest {
  readonly id: string;
  readonly receivedAtMs: number;
  readonly status: string;
  readonly httpStatus: number;
  readonly errorCode: string | null;
  readonly repeats: number;
  /** Signals of the prompt; `null` if the prompt was not judged. */
  readonly signals: SignalValues | null;
  /** Origin of the prompt's text; `null` if the prompt was not judged. */
  readonly asked?: TextOrigin | null;
}

/**
 * Returns the deviation event of an ended request; `null` if the request does not change the score: the text was
 * judged before, or a limit rejected the request. Otherwise, a client's retries would count repeatedly.
 */
export function countRequest(request: EndedRequest): DeviationEvent | null {
  const values = readValues(request);
  if (values === null) return null;
  const { asked, id, receivedAtMs: atMs, repeats, status } = request;
  const isRefused = status === 'refused';
  return asked ? { id, atMs, values, repeats, isRefused, asked } : { id, atMs, values, repeats, isRefused };
}

/** 403 error codes that do not indicate a forbidden attempt: the request lacks information, or the user is blocked. */
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
