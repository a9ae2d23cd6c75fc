import { toUsd, type UserDailyUsage, type UserStats } from '@sluice/contract';
import { listDays, readRange } from '#console/analytics/range.ts';
import { readSpend } from '#console/analytics/spend.ts';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import { decayScore } from '#domain/deviation/score.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import { countOwnTasks, findPerson, selectOwnDays, selectOwnUsage } from './store.ts';

export async function getUserStats(tx: LogTransaction, author: Principal): Promise<UserStats> {
  const person = await findPerson(tx, author);
  if (!person) throw notFound('User');
  const today = await readRange(tx, author.tenantId, { days: 1 });
  const usage = await selectOwnUsage(tx.reports, author, today.from);
  const tasks = await countOwnTasks(tx, author);
  const spendOf = await readSpend(tx.reports, author.tenantId, 'user', { user_id: author.userId });
  return {
    total_tokens_used: usage.tokens,
    current_deviation_score: scoreNow(person),
    total_requests: usage.requests,
    tokens_today: usage.recentTokens,
    requests_today: usage.recentRequests,
    active_tasks: tasks.active,
    completed_tasks: tasks.completed,
    ...spendOf(author.userId),
  };
}

export async function listUserDailyUsage(
  tx: TenantTransaction,
  author: Principal,
  days: number,
): Promise<UserDailyUsage[]> {
  const range = await readRange(tx, author.tenantId, { days });
  const used = new Map((await selectOwnDays(tx, author, range)).map((row) => [row.date, row]));
  return listDays(range).map((date) => {
    const { tokens, requests, cost } = used.get(date) ?? { tokens: 0, requests: 0, cost: '0' };
    return { date, tokens, requests, cost_usd: toUsd(BigInt(cost)) };
  });
}

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

export function scoreNow({ score, scoredAt, nowMs }: Scored): number {
  return decayScore(score, nowMs - (scoredAt?.getTime() ?? nowMs));
}
