import { dropOldest } from '#platform/drop-oldest.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { InstanceEntry } from '../snapshot/tables/llm-providers.ts';
import type { ProviderReports } from './provider-reports.ts';
import { isOfInstance, type Refusal } from './refusals.ts';

/**
 * Memory of provider rejections: this worker's own findings immediately, those of other workers and nodes from the
 * snapshot. A finding from one user's requests, which that user may have provoked, applies to that user alone until a
 * second user's request confirms it.
 */
export interface RefusalMemory {
  /** Returns an instance's rejections for a model, as far as they apply to the user, oldest first. */
  recall(instance: InstanceEntry, model: string, userId: number): readonly Refusal[];
  /**
   * Stores an instance's rejections for a user. Call once the request has succeeded without the rejected parts, or
   * cannot be repeated without them.
   */
  remember(instance: InstanceEntry, model: string, userId: number, refusals: readonly Refusal[]): void;
}

interface MemoryOptions {
  readonly snapshot: Pick<Snapshot, 'providerRefusals'>;
  readonly reports: Pick<ProviderReports, 'noteRefusal'>;
  /** Wall-clock milliseconds. */
  readonly nowMs: () => number;
}

/** Time during which a finding is valid, since the provider may change. */
export const refusalValidMs = 24 * 60 * 60 * 1000;
/**
 * Maximum number of endpoints with findings by this worker, and of findings per endpoint. The oldest are dropped
 * first.
 */
const placesMax = 200;
const perPlaceMax = 200;

export function createRefusalMemory({ snapshot, reports, nowMs }: MemoryOptions): RefusalMemory {
  const own = new Map<string, Map<string, Finding>>();
  return {
    recall(instance, model, userId) {
      const stored = snapshot.providerRefusals.find(instance.id);
      const fresh = own.size === 0 ? undefined : own.get(placeOf(instance));
      if (stored.length === 0 && fresh === undefined) return none;
      const sinceMs = nowMs() - refusalValidMs;
      const isValid = (finding: Finding) =>
        finding.refusedAtMs > sinceMs &&
        (finding.model === model || finding.model === '') &&
        (finding.isConfirmed || finding.userId === userId);
      return [...stored, ...(fresh?.values() ?? [])]
        .filter(isValid)
        .sort((one, other) => one.refusedAtMs - other.refusedAtMs);
    },
    remember(instance, model, userId, refusals) {
      if (refusals.length === 0) return;
      const place = placeOf(instance);
      const findings = own.getOrInsertComputed(place, () => new Map());
      dropOldest(own, placesMax);
      for (const refusal of refusals) {
        // The remaining output depends on the input of each request.
        if (refusal.kind === 'room') continue;
        const of = isOfInstance(refusal) ? '' : model;
        const key = JSON.stringify([of, refusal.kind, refusal.value]);
        const refusedAtMs = nowMs();
        const known = findings.get(key);
        const isFresh = known !== undefined && known.refusedAtMs > refusedAtMs - refusalValidMs;
        const isConfirmed = isFresh && (known.isConfirmed || known.userId !== userId);
        findings.delete(key);
        findings.set(key, { ...refusal, model: of, refusedAtMs, userId, isConfirmed });
        dropOldest(findings, perPlaceMax);
        reports.noteRefusal(instance.id, of, userId, refusal);
      }
    },
  };
}

interface Finding extends Refusal {
  /** Model name; empty for all models of the instance. */
  readonly model: string;
  readonly refusedAtMs: number;
  /** User whose request caused the rejection; `null` if unknown. */
  readonly userId: number | null;
  readonly isConfirmed: boolean;
}

const none: readonly Refusal[] = [];

/** Includes the endpoint, since another endpoint may reject other parts. */
const placeOf = ({ id, endpoint }: InstanceEntry) => `${id} ${endpoint ?? ''}`;
