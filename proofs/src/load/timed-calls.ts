import { setTimeout as pause } from 'node:timers/promises';

export interface TimedCalls {
  readonly tookMs: readonly number[];
  readonly failures: readonly number[];
}

/** Sends a GET every `everyMs` milliseconds for some time, sequentially. */
export async function callRegularly(
  url: string,
  token: string,
  { everyMs, forMs }: { readonly everyMs: number; readonly forMs: number },
): Promise<TimedCalls> {
  const tookMs: number[] = [];
  const failures: number[] = [];
  const endMs = performance.now() + forMs;
  while (performance.now() < endMs) {
    const startedMs = performance.now();
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    const elapsedMs = performance.now() - startedMs;
    tookMs.push(elapsedMs);
    if (answer.status !== 200) failures.push(answer.status);
    await pause(Math.max(0, everyMs - elapsedMs));
  }
  return { tookMs, failures };
}

/** Returns the quantile of values for a share from 0 to 1; 0 if there are no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
