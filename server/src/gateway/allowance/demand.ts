import type { Fit } from './hold.ts';
import type { Lease } from './lease.ts';
import type { LeaseChange } from './lease-queries.ts';

/** A request that waits for the database. */
export interface Waiting {
  readonly fit: Fit;
  readonly leases: readonly Lease[];
}

interface Demand {
  sum: number;
  largest: number;
}

/** What is wanted of each lease. */
export type Demands = ReadonlyMap<Lease, Demand>;

/** What all waiting requests take of each lease together; of one that lacks something, what it lacks. */
export function sumDemands(waiting: readonly Waiting[]): Demands {
  const demands = new Map<Lease, Demand>();
  const add = (lease: Lease | undefined, amount: number) => {
    if (!lease) return;
    const { sum, largest } = demands.get(lease) ?? { sum: 0, largest: 0 };
    demands.set(lease, { sum: sum + amount, largest: Math.max(largest, amount) });
  };
  for (const { fit, leases } of waiting) {
    const fitted = fit(leases.map(({ left }) => left));
    if ('lacking' in fitted) add(leases[fitted.lacking], fitted.amount);
    else for (const [index, amount] of fitted.amounts.entries()) add(leases[index], amount);
  }
  return demands;
}

/** Far above any real want, and far below what a bigint holds. */
const wantMax = 2 ** 50;

/**
 * The statement's part for one lease. What is free of a slice that is no longer current, or due to be returned, goes
 * back; so what is asked for is what the demand exceeds the rest by.
 */
export function planLeaseChange(
  lease: Lease,
  demand: Demand | undefined,
  isDue: boolean,
): LeaseChange | null {
  if (!lease.state) return null;
  if (!lease.isCurrent || (isDue && !demand)) lease.returnFree();
  const { sum, largest } = demand ?? { sum: 0, largest: 0 };
  const want = Math.min(wantMax, Math.max(0, sum - lease.free));
  const { allowanceId } = lease.state;
  const { returned } = lease;
  if (want === 0) return { allowanceId, want, slice: 0, nearEnd: 0, returned };
  const { amount: slice, nearEnd } = lease.chooseSlice(want, Math.min(wantMax, largest), performance.now());
  return { allowanceId, want, slice, nearEnd, returned };
}
