import { toUsd, type UserDailyUsage, type UserStats } from '@sluice/contract';
import { listDays, readRange } from '#console/analytics/range.ts';
import { readSpend } from '#console/analytics/spend.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { decayScore } from '#domain/deviation/score.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { countOwnTasks, findPerson, selectOwnDays, selectOwnUsage } from './store.ts';

/** Returns the caller's usage in total and today. */
export function getUserStats({ principal, inTenant }: SignedInContext): Promise<UserStats> {
  return inTenant(async (tx) => {
    const person = await findPerson(tx, principal);
    if (!person) throw notFound('User');
    const today = await readRange(tx, principal.tenantId, { days: 1 });
    const usage = await selectOwnUsage(tx, principal, today.from);
    const tasks = await countOwnTasks(tx, principal);
    const spendOf = await readSpend(tx, principal.tenantId, 'user', { user_id: principal.userId });
    return {
      total_tokens_used: usage.tokens,
      current_deviation_score: scoreNow(person),
      total_requests: usage.requests,
      tokens_today: usage.recentTokens,
      requests_today: usage.recentRequests,
      active_tasks: tasks.active,
      completed_tasks: tasks.completed,
      ...spendOf(principal.userId),
    };
  });
}

/** Returns the caller's usage on each of the last days. */
export function listUserDailyUsage(
  { principal, inTenant }: SignedInContext,
  days: number,
): Promise<UserDailyUsage[]> {
  return inTenant(async (tx) => {
    const range = await readRange(tx, principal.tenantId, { days });
    const used = new Map((await selectOwnDays(tx, principal, range)).map((row) => [row.date, row]));
    return listDays(range).map((date) => {
      const { tokens, requests, cost } = used.get(date) ?? { tokens: 0, requests: 0, cost: '0' };
      return { date, tokens, requests, cost_usd: toUsd(BigInt(cost)) };
    });
  });
}

/** Returns each day with usage of the user, oldest first. */
export async function readAllDays(tx: TenantTransaction, principal: Principal): Promise<UserDailyUsage[]> {
  const { timeZone } = await readRange(tx, principal.tenantId, { days: 1 });
  const days = await selectOwnDays(tx, principal, { timeZone, from: '-infinity', end: 'infinity' });
  return days
    .map(({ cost, ...day }) => ({ ...day, cost_usd: toUsd(BigInt(cost)) }))
    .toSorted((one, other) => (one.date < other.date ? -1 : 1));
}

interface Scored {
  readonly score: number;
  readonly scoredAt: Date | null;
  readonly nowMs: number;
}

/** Returns the score with its current decay. */
export function scoreNow({ score, scoredAt, nowMs }: Scored): number {
  return decayScore(score, nowMs - (scoredAt?.getTime() ?? nowMs));
}
