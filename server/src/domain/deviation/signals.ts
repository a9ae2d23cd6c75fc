import { type DeviationPolicy, type DeviationSignal, deviationSignals } from '@sluice/contract';

/** How much each signal says about one request, from 0 to 1; an absent one says nothing. */
export type SignalValues = Partial<Record<DeviationSignal, number>>;

export interface WeighedSignal {
  readonly name: DeviationSignal;
  readonly value: number;
  readonly weight: number;
  /** `weight` times `value`. */
  readonly contribution: number;
}

/** The signals that say something, in the order in which they are told; `burst` goes before that of `values`. */
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

/** What one request deviates, from 0 to 1. */
export function sumDeviation(signals: readonly WeighedSignal[]): number {
  return Math.min(
    1,
    signals.reduce((sum, { contribution }) => sum + contribution, 0),
  );
}
