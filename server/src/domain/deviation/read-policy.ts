import { type DeviationPolicy, defaultDeviationPolicy, deviationPolicy } from '@sluice/contract';

/** Reads a stored policy; missing or invalid policies become the default. */
export function readPolicy(stored: unknown): DeviationPolicy {
  return deviationPolicy.safeParse(stored).data ?? defaultDeviationPolicy;
}
