import type { Snapshot } from '../snapshot/snapshot.ts';
import type { InstanceEntry } from '../snapshot/tables/llm-providers.ts';
import type { ProviderReports } from './provider-reports.ts';
import { isOfInstance, type Refusal } from './refusals.ts';

/** Refusals of providers: this worker's own findings at once, those of other workers and nodes from the snapshot. */
export interface RefusalMemory {
  /** Returns what an instance refused for a model, oldest first. */
  recall(instance: InstanceEntry, model: string): readonly Refusal[];
  /** Keeps what an instance refused, once the request without it was answered. */
  remember(instance: InstanceEntry, model: string, refusals: readonly Refusal[]): void;
}

interface MemoryOptions {
  readonly snapshot: Pick<Snapshot, 'providerRefusals'>;
  readonly reports: Pick<ProviderReports, 'noteRefusal'>;
  /** Wall-clock milliseconds. */
  readonly nowMs: () => number;
}

/** Time after which the provider is asked again, since it may have changed. */
export const refusalValidMs = 24 * 60 * 60 * 1000;
/** Maximum own findings of a worker; the oldest is dropped first. */
const ownMax = 1_000;

export function createRefusalMemory({ snapshot, reports, nowMs }: MemoryOptions): RefusalMemory {
  const own = new Map<string, Finding>();
  return {
    recall(instance, model) {
      const sinceMs = nowMs() - refusalValidMs;
      const isValid = (finding: Finding) =>
        finding.refusedAtMs > sinceMs && (finding.model === model || finding.model === '');
      const stored = snapshot.providerRefusals.find(instance.id).filter(isValid);
      const place = placeOf(instance);
      const fresh =
        own.size === 0 ? [] : [...own.values()].filter((one) => one.place === place && isValid(one));
      return [...stored, ...fresh].sort((one, other) => one.refusedAtMs - other.refusedAtMs);
    },
    remember(instance, model, refusals) {
      for (const refusal of refusals) {
        // The room of one request says nothing of the next one.
        if (refusal.kind === 'room') continue;
        const of = isOfInstance(refusal) ? '' : model;
        const key = JSON.stringify([placeOf(instance), of, refusal.kind, refusal.value]);
        own.delete(key);
        own.set(key, { ...refusal, model: of, refusedAtMs: nowMs(), place: placeOf(instance) });
        const [oldest = ''] = own.keys();
        if (own.size > ownMax) own.delete(oldest);
        reports.noteRefusal(instance.id, of, refusal);
      }
    },
  };
}

interface Finding extends Refusal {
  /** Empty for all models of the instance. */
  readonly model: string;
  readonly refusedAtMs: number;
  /** Instance and endpoint, since another endpoint may refuse other things. */
  readonly place?: string;
}

const placeOf = ({ id, endpoint }: InstanceEntry) => `${id} ${endpoint ?? ''}`;
