import type { DeviationPolicy } from '@sluice/contract';
import { countRequests, measureBurst, type Pace } from './pace.ts';
import { type Asked, addAsk, isKnownFollowUp, type RecentAsks } from './recent-asks.ts';
import { moveScore, type ScoreChange } from './score.ts';
import { type SignalValues, weighSignals } from './signals.ts';

/** Current deviation state of a user. */
export interface DeviationState {
  /** Value at `scoredAtMs`. */
  readonly score: number;
  /** `null` before the first counted request. */
  readonly scoredAtMs: number | null;
  readonly pace: Pace | null;
  readonly recent?: RecentAsks | null;
}

/** A request that counts. */
export interface DeviationEvent {
  readonly id: string;
  /** Time of receipt. */
  readonly atMs: number;
  readonly values: SignalValues;
  /** Number of equal requests that it represents. */
  readonly repeats: number;
  readonly isRefused: boolean;
  /** Absent if nothing was asked or it is unknown. */
  readonly asked?: Asked;
}

export interface FoldedEvent {
  readonly event: DeviationEvent;
  readonly change: ScoreChange;
}

export const startState: DeviationState = { score: 0, scoredAtMs: null, pace: null };

/** Folds requests in the order of their admission, then by id, so that their order in the list does not matter. */
export function foldEvents(
  state: DeviationState,
  events: readonly DeviationEvent[],
  weights: DeviationPolicy['weights'],
): { readonly state: DeviationState; readonly folded: readonly FoldedEvent[] } {
  const folded: FoldedEvent[] = [];
  let current = state;
  for (const event of events.toSorted(compareEvents)) {
    if (isKnownFollowUp(current.recent, event.asked)) continue;
    const next = foldEvent(current, event, weights);
    folded.push({ event, change: next.change });
    current = next.state;
  }
  return { state: current, folded };
}

/** Folds one request. A request without text has the values of the previous one and lowers nothing. */
export function foldEvent(
  { score, scoredAtMs, pace, recent }: DeviationState,
  { asked, atMs, repeats, isRefused, values: own }: DeviationEvent,
  weights: DeviationPolicy['weights'],
): { readonly state: DeviationState; readonly change: ScoreChange } {
  const newPace = countRequests(pace, atMs, repeats);
  const isSilent = asked?.kind === 'silent';
  const values = isSilent ? { ...recent?.values, ...own } : own;
  const signals = weighSignals(values, weights, measureBurst(newPace));
  const elapsedMs = scoredAtMs === null ? 0 : atMs - scoredAtMs;
  const change = moveScore(score, { signals, repeats, isRefused: isRefused || isSilent, elapsedMs });
  const newScoredAtMs = Math.max(atMs, scoredAtMs ?? atMs);
  const newRecent = addAsk(recent, asked, { values, isRefused });
  const state = { score: change.after, scoredAtMs: newScoredAtMs, pace: newPace };
  return { state: newRecent ? { ...state, recent: newRecent } : state, change };
}

function compareEvents(one: DeviationEvent, other: DeviationEvent): number {
  return one.atMs - other.atMs || (one.id < other.id ? -1 : 1);
}
