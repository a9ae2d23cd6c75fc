import type { DeviationPolicy } from '@sluice/contract';
import { moveScore, type ScoreChange } from './score.ts';
import { type SignalValues, weighSignals } from './signals.ts';

export interface Pace {
  readonly hourStartMs: number;
  readonly requests: number;
  /** Running mean over hours with requests. */
  readonly usual: number;
}

const hourMs = 3_600_000;
/** Hours with fewer requests never count as a burst. */
const usualMin = 30;
const newHourShare = 0.2;

/** Adds requests to the pace. A request of an earlier hour counts toward the current hour. */
function countRequests(pace: Pace | null, atMs: number, count: number): Pace {
  const hourStartMs = atMs - (atMs % hourMs);
  if (pace === null) return { hourStartMs, requests: count, usual: 0 };
  if (hourStartMs <= pace.hourStartMs)
    return { hourStartMs: pace.hourStartMs, requests: pace.requests + count, usual: pace.usual };
  const usual = pace.usual + newHourShare * (pace.requests - pace.usual);
  return { hourStartMs, requests: count, usual };
}

/**
 * Returns the burst signal: 0 for up to twice the requests of a usual hour, rising to 1 for four times as many or
 * more.
 */
export function measureBurst({ requests, usual }: Pace): number {
  const base = Math.max(usual, usualMin);
  return Math.min(1, Math.max(0, requests / (2 * base) - 1));
}

/**
 * Origin of a request's text: new text, the text of the earlier request that caused the tool calls, or no text.
 * `hash` identifies the text.
 */
export type TextOrigin =
  | { readonly kind: 'ask' | 'follow-up'; readonly hash: string }
  | { readonly kind: 'silent' };

export interface RecentTexts {
  /** Hashes of accepted requests, newest last. */
  readonly hashes: readonly string[];
  readonly values: SignalValues;
}

/** Tool loops are rarely interrupted by more than this number of other texts from the same user. */
const hashesMax = 16;

function addText(
  recent: RecentTexts | null | undefined,
  asked: TextOrigin | undefined,
  { values, isRefused }: { readonly values: SignalValues; readonly isRefused: boolean },
): RecentTexts | null {
  if (!asked || asked.kind === 'silent') return recent ?? null;
  if (!isRefused && recent?.hashes.at(-1) === asked.hash) return { hashes: recent.hashes, values };
  const others = (recent?.hashes ?? []).filter((hash) => hash !== asked.hash);
  return { hashes: isRefused ? others : [...others, asked.hash].slice(-hashesMax), values };
}

/** Whether a request continues a request that was judged before, and therefore does not change the score. */
function isKnownFollowUp(recent: RecentTexts | null | undefined, asked: TextOrigin | undefined): boolean {
  return asked?.kind === 'follow-up' && (recent?.hashes.includes(asked.hash) ?? false);
}

export interface DeviationState {
  readonly score: number;
  /** `null` before the first counted request. */
  readonly scoredAtMs: number | null;
  readonly pace: Pace | null;
  readonly recent?: RecentTexts | null;
}

export interface DeviationEvent {
  readonly id: string;
  readonly atMs: number;
  readonly values: SignalValues;
  /** Number of equal requests represented by the event. */
  readonly repeats: number;
  readonly isRefused: boolean;
  /** Absent if the request has no text or the origin is unknown. */
  readonly asked?: TextOrigin;
}

export interface FoldedEvent {
  readonly event: DeviationEvent;
  readonly change: ScoreChange;
}

export const startState: DeviationState = { score: 0, scoredAtMs: null, pace: null };

/** Applies events in order of admission, then by id. The order of the list does not matter. */
export function foldEvents(
  state: DeviationState,
  events: readonly DeviationEvent[],
  weights: DeviationPolicy['weights'],
): { readonly state: DeviationState; readonly folded: readonly FoldedEvent[] } {
  const folded: FoldedEvent[] = [];
  let current = state;
  for (const event of events.toSorted(compareEvents)) {
    const next = foldNext(current, event, weights);
    if (!next) continue;
    folded.push({ event, change: next.change });
    current = next.state;
  }
  return { state: current, folded };
}

/** Returns `null` if the request continues a request that was judged before. */
export function foldNext(
  state: DeviationState,
  event: DeviationEvent,
  weights: DeviationPolicy['weights'],
): { readonly state: DeviationState; readonly change: ScoreChange } | null {
  return isKnownFollowUp(state.recent, event.asked) ? null : foldEvent(state, event, weights);
}

/** Returns `null` if the request continues a request that was judged before. */
export function findNextChange(
  state: DeviationState,
  event: DeviationEvent,
  weights: DeviationPolicy['weights'],
): ScoreChange | null {
  if (isKnownFollowUp(state.recent, event.asked)) return null;
  return findChange(state, event, countRequests(state.pace, event.atMs, event.repeats), weights);
}

/** A request without text never lowers the score. */
function findChange(
  { score, scoredAtMs, recent }: DeviationState,
  event: DeviationEvent,
  pace: Pace,
  weights: DeviationPolicy['weights'],
): ScoreChange {
  const { asked, atMs, repeats, isRefused } = event;
  const signals = weighSignals(valuesOf(event, recent), weights, measureBurst(pace));
  const elapsedMs = scoredAtMs === null ? 0 : atMs - scoredAtMs;
  const isNeverLowering = isRefused || asked?.kind === 'silent';
  return moveScore(score, { signals, repeats, isRefused: isNeverLowering, elapsedMs });
}

/** A request without text uses the values of the previous request. */
function valuesOf({ asked, values }: DeviationEvent, recent: RecentTexts | null | undefined): SignalValues {
  return asked?.kind === 'silent' ? { ...recent?.values, ...values } : values;
}

export function foldEvent(
  before: DeviationState,
  event: DeviationEvent,
  weights: DeviationPolicy['weights'],
): { readonly state: DeviationState; readonly change: ScoreChange } {
  const { pace, recent, scoredAtMs } = before;
  const { asked, atMs, isRefused, repeats } = event;
  const newPace = countRequests(pace, atMs, repeats);
  const change = findChange(before, event, newPace, weights);
  const newScoredAtMs = Math.max(atMs, scoredAtMs ?? atMs);
  const newRecent = addText(recent, asked, { values: valuesOf(event, recent), isRefused });
  const { after: newScore } = change;
  const state = newRecent
    ? { score: newScore, scoredAtMs: newScoredAtMs, pace: newPace, recent: newRecent }
    : { score: newScore, scoredAtMs: newScoredAtMs, pace: newPace };
  return { state, change };
}

function compareEvents(one: DeviationEvent, other: DeviationEvent): number {
  return one.atMs - other.atMs || (one.id < other.id ? -1 : 1);
}
