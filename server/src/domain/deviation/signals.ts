import { type DeviationPolicy, type DeviationSignal, deviationSignals } from '@sluice/contract';

/** Strength of each signal of a request, from 0 to 1. Absent signals are not counted. */
export type SignalValues = Partial<Record<DeviationSignal, number>>;

export interface WeighedSignal {
  readonly name: DeviationSignal;
  readonly value: number;
  readonly weight: number;
  /** Product of `weight` and `value`. */
  readonly contribution: number;
}

/** Lists the signals above 0 in display order. `burst` overrides the value in `values`. */
export function weighSignals(
  values: SignalValues,
  weights: DeviationPolicy['weights'],
  burst = values.burst,
): readonly WeighedSignal[] {
  let signals = none;
  // `for of` would allocate an object per item until V8 has optimized the function.
  for (let index = 0; index < deviationSignals.length; index++) {
    const name = deviationSignals[index];
    if (name === undefined) continue;
    const value = (name === 'burst' ? burst : values[name]) ?? 0;
    const weight = weights[name];
    const contribution = value * weight;
    // Use `concat`, because most requests have at most one signal and a growing array reserves space for 17 items.
    if (contribution > 0) signals = signals.concat({ name, value, weight, contribution });
  }
  return signals;
}

const none: readonly WeighedSignal[] = [];

/** Returns the deviation of a request, from 0 to 1. */
export function sumDeviation(signals: readonly WeighedSignal[]): number {
  return Math.min(
    1,
    signals.reduce((sum, { contribution }) => sum + contribution, 0),
  );
}
