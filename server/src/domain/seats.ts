import type { RoleName } from '@sluice/contract';

/** Number of active users of each role in a tenant, and the limits of its plan; `null` means unlimited. */
export interface Seats {
  readonly taken: Readonly<Record<RoleName, number>>;
  readonly limits: Readonly<Record<RoleName, number | null>>;
}

/** Whether one more user with a role may become active. */
export function isSeatFree({ taken, limits }: Seats, role: RoleName): boolean {
  const limit = limits[role];
  return limit === null || taken[role] < limit;
}

/** Returns `1 admin`, `5 users`. */
export function formatSeatCount(role: 'user' | 'admin', count: number): string {
  return `${count} ${role}${count === 1 ? '' : 's'}`;
}

/** Limits of a user: tokens per day, tokens per month, requests per hour; `null` is unlimited. */
export interface Quotas {
  readonly dailyQuota: number | null;
  readonly monthlyQuota: number | null;
  readonly requestsPerHour: number | null;
}
