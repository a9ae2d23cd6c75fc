import type { ShadowDifference } from '@sluice/contract';
import type { OtherLog, OtherRequest } from './other-log.ts';

export interface UnmatchedRequest {
  readonly requestId: string | null;
  readonly atMs: number;
  readonly keyDigest: string | null;
  /** API key name in Sluice, which an import copies from the other gateway. */
  readonly keyName: string | null;
  readonly model: string;
}

/** Maximum difference between the times of a request in two logs. One API logs the end of a request, not its start. */
const beforeMs = 60_000;
const afterMs = 600_000;

export const logPeriodOf = (firstMs: number, lastMs: number) => ({
  fromMs: firstMs - beforeMs,
  toMs: lastMs + afterMs,
});

/**
 * Returns a function that returns the entries of a period. The function reads only parts that were not read before,
 * unless entries may still be added.
 */
export function createEntryReader(log: OtherLog, { isGrowing }: { readonly isGrowing: boolean }) {
  let known: readonly OtherRequest[] = [];
  let read = { fromMs: Number.POSITIVE_INFINITY, toMs: Number.NEGATIVE_INFINITY };
  return async ({ fromMs, toMs }: ReturnType<typeof logPeriodOf>): Promise<readonly OtherRequest[]> => {
    const isContinued = !isGrowing && fromMs >= read.fromMs;
    const kept = isContinued ? known.filter(({ atMs }) => atMs >= fromMs) : [];
    const startMs = isContinued ? Math.max(fromMs, read.toMs) : fromMs;
    const ids = new Set(kept.map(({ requestId }) => requestId));
    const added = toMs > startMs ? await log.read(startMs, toMs) : [];
    known = kept.concat(added.filter(({ requestId }) => !ids.has(requestId)));
    read = { fromMs, toMs: Math.max(startMs, toMs) };
    return known;
  };
}

/**
 * Returns a function that finds the entry of a request in the other gateway's log. Each entry matches at most one
 * request.
 */
export function createMatcher() {
  const found = new Set<string>();
  return (lines: readonly OtherRequest[]) => {
    const unmatched = lines.filter(({ requestId }) => !found.has(requestId));
    const byId = new Map(unmatched.map((line) => [line.requestId, line]));
    const byCaller = Map.groupBy(unmatched.flatMap(listKeys), ([key]) => key);
    return (request: UnmatchedRequest): OtherRequest | null => {
      const line = findById(request) ?? findNearest(request);
      if (line) found.add(line.requestId);
      return line ?? null;
    };

    function findById({ requestId }: UnmatchedRequest): OtherRequest | undefined {
      return requestId === null || found.has(requestId) ? undefined : byId.get(requestId);
    }

    function findNearest(request: UnmatchedRequest): OtherRequest | undefined {
      let nearest: OtherRequest | undefined;
      for (const [, line] of keysOf(request).flatMap((key) => byCaller.get(key) ?? [])) {
        const isNear = line.atMs >= request.atMs - beforeMs && line.atMs <= request.atMs + afterMs;
        if (!isNear || found.has(line.requestId)) continue;
        if (!nearest || Math.abs(line.atMs - request.atMs) < Math.abs(nearest.atMs - request.atMs))
          nearest = line;
      }
      return nearest;
    }
  };
}

const keysOf = ({ keyDigest, keyName, model }: UnmatchedRequest): string[] => [
  ...(keyDigest === null ? [] : [`digest ${keyDigest} ${model}`]),
  ...(keyName === null ? [] : [`name ${keyName} ${model}`]),
];

const listKeys = (line: OtherRequest): [string, OtherRequest][] =>
  keysOf({ ...line, model: line.modelRequested }).map((key) => [key, line]);

export interface ComparedVerdict {
  readonly isServed: boolean;
  readonly model: string | null;
  readonly costNanoUsd: bigint | null;
}

export function findDifference(verdict: ComparedVerdict, other: OtherRequest | null): ShadowDifference {
  if (other === null || other.outcome === 'failed') return 'not_compared';
  const isServedThere = other.outcome === 'served';
  if (verdict.isServed !== isServedThere) return isServedThere ? 'refused_here' : 'refused_there';
  if (!isServedThere) return 'none';
  if (nameOf(verdict.model ?? '') !== nameOf(other.model)) return 'other_model';
  return isOtherCost(verdict.costNanoUsd, other.costNanoUsd) ? 'other_cost' : 'none';
}

/** Returns the model name without the provider prefix that other gateways add. */
const nameOf = (model: string) => model.toLowerCase().replace(/^.*\//, '');

function isOtherCost(here: bigint | null, there: bigint | null): boolean {
  if (here === null || there === null) return false;
  const difference = here > there ? here - there : there - here;
  return difference * 100n > (here > there ? here : there);
}
