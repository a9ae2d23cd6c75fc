import type { DeviationPolicy } from '@sluice/contract';
import { countRequests, measureBurst, type Pace } from './pace.ts';
import { type Asked, addAsk, isKnownFollowUp, type RecentAsks } from './recent-asks.ts';
import { moveScore, type ScoreChange } from './score.ts';
import { type SignalValues, weighSignals } from './signals.ts';

/** Where a person stands. */
export interface DeviationState {
  /** As it was at `scoredAtMs`. */
  readonly score: number;
  /** `null` before the first request that counted. */
  readonly scoredAtMs: number | null;
  readonly pace: Pace | null;
  readonly recent?: RecentAsks | null;
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
  /** Absent where nothing was asked, or nothing is known of it. */
  readonly asked?: Asked;
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
    if (isKnownFollowUp(current.recent, event.asked)) continue;
    const next = foldEvent(current, event, weights);
    folded.push({ event, change: next.change });
    current = next.state;
  }
  return { state: current, folded };
}

/** A request without a word is judged as the one before it was, and takes nothing back. */
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
