import type { Fit } from './hold.ts';
import type { Lease } from './lease.ts';
import type { LeaseChange } from './lease-queries.ts';

export interface Waiting {
  readonly fit: Fit;
  readonly leases: readonly Lease[];
}

interface Demand {
  sum: number;
  largest: number;
  requests: number;
}

/** Returns the highest number of requests in flight on any limited lease. */
export function countInFlight(leases: readonly Lease[]): number {
  return leases.reduce(addInFlight, 0);
}

const addInFlight = (most: number, { holders, isUnlimited }: Lease) =>
  isUnlimited ? most : Math.max(most, holders);

export type Demands = ReadonlyMap<Lease, Demand>;

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

/** Far above any real demand, and far below the maximum of a bigint. */
const wantMax = 2 ** 50;

/** Returns the change to request for a lease, or `null` if the lease has no state yet. `nowMs` is monotonic. */
export function planLeaseChange(
  lease: Lease,
  demand: Demand | undefined,
  isDue: boolean,
  nowMs: number,
): LeaseChange | null {
  if (!lease.state) return null;
  if (!lease.isCurrent || (isDue && !demand)) lease.returnSpare();
  const { sum, largest } = demand ?? { sum: 0, largest: 0 };
  const kept = lease.isRetired ? 0 : lease.debt;
  const want = Math.min(wantMax, Math.max(0, sum + kept - lease.free));
  const { allowanceId } = lease.state;
  const { returned } = lease;
  const isLow = want === 0 && !isDue && lease.isRunningLow;
  if (want === 0 && !isLow) return { allowanceId, want, slice: 0, nearEnd: 0, returned };
  const { amount: slice, nearEnd } = isLow
    ? lease.renewSlice(nowMs)
    : lease.chooseSlice(want, Math.min(wantMax, largest), nowMs);
  return { allowanceId, want, slice, nearEnd, returned };
}
