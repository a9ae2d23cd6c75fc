import type { RoleName } from '@sluice/contract';

/** How many people of each role are active in a tenant, and how many its plan allows; `null` is no limit. */
export interface Seats {
  readonly taken: Readonly<Record<RoleName, number>>;
  readonly limits: Readonly<Record<RoleName, number | null>>;
}

/** Whether one more person of a role may become active. */
export function isSeatFree({ taken, limits }: Seats, role: RoleName): boolean {
  const limit = limits[role];
  return limit === null || taken[role] < limit;
}

/** `1 admin`, `5 users`. */
export function formatSeatCount(role: 'user' | 'admin', count: number): string {
  return `${count} ${role}${count === 1 ? '' : 's'}`;
}
