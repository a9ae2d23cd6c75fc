import { type DeviationPolicy, type DeviationSignal, deviationSignals } from '@sluice/contract';

/** Strength of each signal of one request, from 0 to 1; absent signals do not count. */
export type SignalValues = Partial<Record<DeviationSignal, number>>;

export interface WeighedSignal {
  readonly name: DeviationSignal;
  readonly value: number;
  readonly weight: number;
  /** `weight` times `value`. */
  readonly contribution: number;
}

/** Lists the signals above 0 in display order; `burst` overrides that of `values`. */
export function weighSignals(
  values: SignalValues,
  weights: DeviationPolicy['weights'],
  burst = values.burst,
): WeighedSignal[] {
  const signals: WeighedSignal[] = [];
  for (const name of deviationSignals) {
    const value = (name === 'burst' ? burst : values[name]) ?? 0;
    const weight = weights[name];
    const contribution = value * weight;
    if (contribution > 0) signals.push({ name, value, weight, contribution });
  }
  return signals;
}

/** Returns the deviation of one request, from 0 to 1. */
export function sumDeviation(signals: readonly WeighedSignal[]): number {
  return Math.min(
    1,
    signals.reduce((sum, { contribution }) => sum + contribution, 0),
  );
}
