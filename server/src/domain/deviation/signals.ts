import { type DeviationPolicy, type DeviationSignal, deviationSignals } from '@sluice/contract';

/** Strength of each signal of one request, from 0 to 1; absent signals are not counted. */
export type SignalValues = Partial<Record<DeviationSignal, number>>;

export interface WeighedSignal {
  readonly name: DeviationSignal;
  readonly value: number;
  readonly weight: number;
  /** `weight` times `value`. */
  readonly contribution: number;
}

/** Lists the signals above 0 in display order; `burst` overrides the value in `values`. */
export function weighSignals(
  values: SignalValues,
  weights: DeviationPolicy['weights'],
  burst = values.burst,
): readonly WeighedSignal[] {
  let signals = none;
  // Not `for of`, which allocates an object per item until V8 has optimized the function.
  for (let index = 0; index < deviationSignals.length; index++) {
    const name = deviationSignals[index];
    if (name === undefined) continue;
    const value = (name === 'burst' ? burst : values[name]) ?? 0;
    const weight = weights[name];
    const contribution = value * weight;
    // Most requests have one signal at most; an array that grows reserves room for 17.
    if (contribution > 0) signals = signals.concat({ name, value, weight, contribution });
  }
  return signals;
}

const none: readonly WeighedSignal[] = [];

/** Returns the deviation of one request, from 0 to 1. */
export function sumDeviation(signals: readonly WeighedSignal[]): number {
  return Math.min(
    1,
    signals.reduce((sum, { contribution }) => sum + contribution, 0),
  );
}
