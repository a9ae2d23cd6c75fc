import type { RoleName } from '@sluice/contract';

/** Number of active users per role and the plan's limits; `null` means unlimited. */
export interface Seats {
  readonly taken: Readonly<Record<RoleName, number>>;
  readonly limits: Readonly<Record<RoleName, number | null>>;
}

export function isSeatFree({ taken, limits }: Seats, role: RoleName): boolean {
  const limit = limits[role];
  return limit === null || taken[role] < limit;
}

/** Formats a count, for example `1 admin` or `5 users`. */
export function formatSeatCount(role: 'user' | 'admin', count: number): string {
  return `${count} ${role}${count === 1 ? '' : 's'}`;
}

/** `null` means unlimited. */
export interface Quotas {
  readonly dailyQuota: number | null;
  readonly monthlyQuota: number | null;
  readonly requestsPerHour: number | null;
}
