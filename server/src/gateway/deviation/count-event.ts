import type { DeviationEvent } from '#domain/deviation/fold.ts';
import type { SignalValues } from '#domain/deviation/signals.ts';
import type { RequestRecord } from '../request-record.ts';

/**
 * What an ended request counts for, `null` when it moves no score: nobody asked anything new, or it was refused for
 * limits, which a client's repeats would multiply.
 */
export function countEvent(record: RequestRecord): DeviationEvent | null {
  const values = readValues(record);
  if (values === null) return null;
  const isRefused = record.status === 'refused';
  return { id: record.id, atMs: record.receivedAtMs, values, repeats: record.repeats, isRefused };
}

/** Refusals with a 403 that are no try at what is forbidden: the person is told to name something, or is shut out. */
const innocentCodes: ReadonlySet<string | null> = new Set([
  'account_blocked',
  'access_withdrawn',
  'task_required',
]);

function readValues({ errorCode, httpStatus, signals, status }: RequestRecord): SignalValues | null {
  if (status !== 'refused') return signals ?? null;
  if (errorCode === 'policy_blocked') return signals;
  if (httpStatus !== 403 || innocentCodes.has(errorCode)) return null;
  return { ...signals, refusals: 1 };
}
