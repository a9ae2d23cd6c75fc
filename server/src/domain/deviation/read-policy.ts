import { type DeviationPolicy, defaultDeviationPolicy, deviationPolicy } from '@sluice/contract';

/** A policy as it is stored; what is absent, or no policy of this version, is the default. */
export function readPolicy(stored: unknown): DeviationPolicy {
  return deviationPolicy.safeParse(stored).data ?? defaultDeviationPolicy;
}
