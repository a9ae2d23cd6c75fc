import type { DeviationLevel, DeviationPolicy, DeviationReceipt } from '@sluice/contract';
import { decay } from '#domain/exponential-decay.ts';
import { sumDeviation, type WeighedSignal } from './signals.ts';

/** Scores are calculated in integer billionths, so that receipt lines add up without rounding errors. */
const unitsPerScore = 1e9;
const halfLifeMs = 7 * 24 * 3_600_000;
/** Weight of one request in the score. */
const step = 0.1;

export interface ScoreChange {
  readonly before: number;
  readonly after: number;
  /**
   * Components of the change in billionths. Signals increase the score; on-task requests and elapsed time reduce it.
   */
  readonly signals: readonly WeighedSignal[];
  readonly gainUnits: number;
  readonly backUnits: number;
  readonly restUnits: number;
}

export interface ScoreMove {
  readonly signals: readonly WeighedSignal[];
  readonly repeats: number;
  /** Whether the request was rejected. Rejected requests never lower a score. */
  readonly isRefused: boolean;
  /** Time since the last change of the score in milliseconds. Negative values are treated as 0. */
  readonly elapsedMs: number;
}

export function decayScore(score: number, elapsedMs: number): number {
  return toScore(decayUnits(toUnits(score), elapsedMs));
}

/** Computes score = 0.9 x score + 0.1 x deviation for each request, after the decay over time. */
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

/** Lists the receipt lines of a change. Their sum equals the change. */
export function listReceipts({ signals, gainUnits, backUnits, restUnits }: ScoreChange): DeviationReceipt[] {
  return [
    ...divideGain(gainUnits, signals),
    ...listLine('return', -backUnits),
    ...listLine('time', -restUnits),
  ];
}

/** Returns the score after a block is lifted, which is at most half the block threshold. */
export function restartScore(score: number, blockThreshold: number): number {
  return Math.min(score, toScore(toUnits(blockThreshold / 2)));
}

export function isRefused({ before, after }: ScoreChange, { mode, thresholds }: DeviationPolicy): boolean {
  return mode === 'block' && after >= thresholds.block && after > before;
}

export function findLevel(score: number, { elevated, high }: DeviationPolicy['thresholds']): DeviationLevel {
  if (score > high) return 'high';
  return score > elevated ? 'elevated' : 'normal';
}

/** Divides the gain in proportion to the signals' contributions. The largest share includes the rounding remainder. */
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
