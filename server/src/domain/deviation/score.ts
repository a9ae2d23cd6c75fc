import type { DeviationLevel, DeviationPolicy, DeviationReceipt } from '@sluice/contract';
import { decay } from '#domain/exponential-decay.ts';
import { sumDeviation, type WeighedSignal } from './signals.ts';

/** Scores are counted in whole billionths, so that the lines of a receipt add up without a rest. */
const unitsPerScore = 1e9;
const halfLifeMs = 7 * 24 * 3_600_000;
/** How far one request moves the score towards what it deviates. */
const step = 0.1;

export interface ScoreChange {
  readonly before: number;
  readonly after: number;
  /** What adds up to it, in billionths: what the signals add, what a request takes back, and what time has taken. */
  readonly signals: readonly WeighedSignal[];
  readonly gainUnits: number;
  readonly backUnits: number;
  readonly restUnits: number;
}

/** What one request, or several alike, do to a score. */
export interface ScoreMove {
  readonly signals: readonly WeighedSignal[];
  readonly repeats: number;
  /** What was refused never lowers a score: trying costs nothing. */
  readonly isRefused: boolean;
  /** Since the score was last moved; what is negative counts as 0. */
  readonly elapsedMs: number;
}

/** The score as it is after some time without requests. */
export function decayScore(score: number, elapsedMs: number): number {
  return toScore(decayUnits(toUnits(score), elapsedMs));
}

/** score <- 0.9 x score + 0.1 x d for each request, after what time has taken from it. */
export function moveScore(before: number, move: ScoreMove): ScoreChange {
  const start = toUnits(before);
  const rested = decayUnits(start, move.elapsedMs);
  const share = 1 - (1 - step) ** move.repeats;
  const back = Math.round(share * rested);
  const gain = Math.round(share * sumDeviation(move.signals) * unitsPerScore);
  const isMoved = !move.isRefused || gain > back;
  const gainUnits = isMoved ? gain : 0;
  const backUnits = isMoved ? back : 0;
  return {
    before,
    after: toScore(rested - backUnits + gainUnits),
    signals: isMoved ? move.signals : [],
    gainUnits,
    backUnits,
    restUnits: start - rested,
  };
}

/** The lines of a change, which add up to it. */
export function listReceipts({ signals, gainUnits, backUnits, restUnits }: ScoreChange): DeviationReceipt[] {
  return [
    ...divideGain(gainUnits, signals),
    ...listLine('return', -backUnits),
    ...listLine('time', -restUnits),
  ];
}

/** Where a score starts again when a block is lifted: far enough from the threshold for a second chance. */
export function restartScore(score: number, blockThreshold: number): number {
  return Math.min(score, toScore(toUnits(blockThreshold / 2)));
}

/** Whether the policy refuses the request that makes this change: one that takes the score up to the threshold. */
export function isRefused({ before, after }: ScoreChange, { mode, thresholds }: DeviationPolicy): boolean {
  return mode === 'block' && after >= thresholds.block && after > before;
}

export function findLevel(score: number, { elevated, high }: DeviationPolicy['thresholds']): DeviationLevel {
  if (score > high) return 'high';
  return score > elevated ? 'elevated' : 'normal';
}

/** By each signal's part in the sum; the largest bears what rounding leaves. */
function divideGain(gain: number, signals: readonly WeighedSignal[]): DeviationReceipt[] {
  const sum = signals.reduce((total, { contribution }) => total + contribution, 0);
  const shares = signals.map(({ contribution }) => Math.floor((gain * contribution) / sum));
  const rest = gain - shares.reduce((total, share) => total + share, 0);
  const largest = shares.indexOf(Math.max(...shares));
  return signals.map(({ name, value, weight }, index) => ({
    name,
    amount: toScore((shares[index] ?? 0) + (index === largest ? rest : 0)),
    value,
    weight,
  }));
}

function listLine(name: DeviationReceipt['name'], units: number): DeviationReceipt[] {
  return units === 0 ? [] : [{ name, amount: toScore(units) }];
}

function decayUnits(units: number, elapsedMs: number): number {
  return Math.round(decay(units, elapsedMs, halfLifeMs));
}

function toUnits(score: number): number {
  return Math.round(score * unitsPerScore);
}

function toScore(units: number): number {
  return units / unitsPerScore;
}
