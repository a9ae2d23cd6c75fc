import type { DeviationPolicy } from '@sluice/contract';
import { countRequests, measureBurst, type Pace } from './pace.ts';
import { moveScore, type ScoreChange } from './score.ts';
import { type SignalValues, weighSignals } from './signals.ts';

/** Where a person stands. */
export interface DeviationState {
  /** As it was at `scoredAtMs`. */
  readonly score: number;
  /** `null` before the first request that counted. */
  readonly scoredAtMs: number | null;
  readonly pace: Pace | null;
}

/** A request that counts. */
export interface DeviationEvent {
  readonly id: string;
  /** When it was received. */
  readonly atMs: number;
  readonly values: SignalValues;
  /** How many alike it stands for. */
  readonly repeats: number;
  readonly isRefused: boolean;
}

export interface FoldedEvent {
  readonly event: DeviationEvent;
  readonly change: ScoreChange;
}

export const startState: DeviationState = { score: 0, scoredAtMs: null, pace: null };

/** Folds requests in the order of their admission, those of one instant by their ids: how they are listed does not matter. */
export function foldEvents(
  state: DeviationState,
  events: readonly DeviationEvent[],
  weights: DeviationPolicy['weights'],
): { readonly state: DeviationState; readonly folded: readonly FoldedEvent[] } {
  const folded: FoldedEvent[] = [];
  let current = state;
  for (const event of events.toSorted(compareEvents)) {
    const next = foldEvent(current, event, weights);
    folded.push({ event, change: next.change });
    current = next.state;
  }
  return { state: current, folded };
}

export function foldEvent(
  { score, scoredAtMs, pace }: DeviationState,
  { atMs, values, repeats, isRefused }: DeviationEvent,
  weights: DeviationPolicy['weights'],
): { readonly state: DeviationState; readonly change: ScoreChange } {
  const newPace = countRequests(pace, atMs, repeats);
  const signals = weighSignals({ ...values, burst: measureBurst(newPace) }, weights);
  const elapsedMs = scoredAtMs === null ? 0 : atMs - scoredAtMs;
  const change = moveScore(score, { signals, repeats, isRefused, elapsedMs });
  const newScoredAtMs = Math.max(atMs, scoredAtMs ?? atMs);
  return { state: { score: change.after, scoredAtMs: newScoredAtMs, pace: newPace }, change };
}

function compareEvents(one: DeviationEvent, other: DeviationEvent): number {
  return one.atMs - other.atMs || (one.id < other.id ? -1 : 1);
}
