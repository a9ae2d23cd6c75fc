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
  requests: number;
}

/** How many requests hold some of what a request takes from, where that is limited. */
export function countInFlight(leases: readonly Lease[]): number {
  return leases.reduce((most, { holders, isUnlimited }) => (isUnlimited ? most : Math.max(most, holders)), 0);
}

/** What is wanted of each lease. */
export type Demands = ReadonlyMap<Lease, Demand>;

/** What all waiting requests take of each lease together; of one that lacks something, what it lacks. */
export function sumDemands(waiting: readonly Waiting[]): Demands {
  const demands = new Map<Lease, Demand>();
  const add = (lease: Lease | undefined, amount: number) => {
    if (!lease) return;
    const { sum, largest, requests } = demands.get(lease) ?? { sum: 0, largest: 0, requests: 0 };
    demands.set(lease, { sum: sum + amount, largest: Math.max(largest, amount), requests: requests + 1 });
  };
  for (const { fit, leases } of waiting) {
    const fitted = fit(
      leases.map(({ left }) => left),
      countInFlight(leases),
    );
    if ('lacking' in fitted) add(leases[fitted.lacking], fitted.amount);
    else for (const [index, amount] of fitted.amounts.entries()) add(leases[index], amount);
  }
  return demands;
}

/** Far above any real want, and far below what a bigint holds. */
const wantMax = 2 ** 50;

/**
 * The statement's part for one lease. What is spare of a slice that is no longer current, or due to be returned, goes
 * back; so what is asked for is what the demand and the debt exceed the rest by.
 */
export function planLeaseChange(
  lease: Lease,
  demand: Demand | undefined,
  isDue: boolean,
): LeaseChange | null {
  if (!lease.state) return null;
  if (!lease.isCurrent || (isDue && !demand)) lease.returnSpare();
  const { sum, largest } = demand ?? { sum: 0, largest: 0 };
  const kept = lease.isRetired ? 0 : lease.debt;
  const want = Math.min(wantMax, Math.max(0, sum + kept - lease.free));
  const { allowanceId } = lease.state;
  const { returned } = lease;
  if (want === 0) return { allowanceId, want, slice: 0, nearEnd: 0, returned };
  const { amount: slice, nearEnd } = lease.chooseSlice(want, Math.min(wantMax, largest), performance.now());
  return { allowanceId, want, slice, nearEnd, returned };
}
