import type { UserStanding } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { findWindow } from '#domain/allowance/window.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { scoreNow } from './get.ts';
import {
  findOpenAppeal,
  selectClock,
  selectLimitUse,
  selectRecentRequests,
  selectTasksOf,
  selectTeamsOf,
} from './standing-store.ts';
import { selectUsers, type UserRow } from './store.ts';

/** Returns an administrator's view of one user in one transaction. */
export function getUserStanding(
  { principal: { tenantId }, inTenant }: SignedInContext,
  userId: number,
): Promise<UserStanding> {
  return inTenant(async (tx) => {
    const [person] = await selectUsers(tx, tenantId, { userId });
    if (!person) throw notFound('User');
    const tasks = await selectTasksOf(tx, tenantId, userId);
    const requests = await selectRecentRequests(tx, tenantId, userId);
    const appeal = await findOpenAppeal(tx, tenantId, userId);
    return {
      deviation_score: scoreNow(person),
      limits: await readLimits(tx, tenantId, person),
      teams: await selectTeamsOf(tx, tenantId, userId),
      tasks: tasks.map(({ assignedAt, ...task }) => ({ ...task, assigned_at: assignedAt.toISOString() })),
      recent_requests: requests.map(({ receivedAt, ...request }) => ({
        ...request,
        timestamp: receivedAt.toISOString(),
      })),
      open_appeal: appeal
        ? { id: appeal.id, message: appeal.message, created_at: appeal.createdAt.toISOString() }
        : null,
    };
  });
}

async function readLimits(
  tx: TenantTransaction,
  tenantId: number,
  person: UserRow,
): Promise<UserStanding['limits']> {
  const clock = await selectClock(tx, tenantId);
  if (!clock) throw notFound('Tenant');
  const read = async (kind: UserStanding['limits'][number]['kind'], limit: number | null) => {
    const { startMs, endMs } = findWindow(kind, clock.nowMs, clock.timeZone);
    const window = { kind, subjectId: person.id, start: new Date(startMs) };
    const use = await selectLimitUse(tx, tenantId, window);
    return { kind, limit, ...use, resets_at: new Date(endMs).toISOString() };
  };
  return [
    await read('requests_per_hour', person.requestsPerHour),
    await read('tokens_per_day', person.dailyQuota),
    await read('tokens_per_month', person.monthlyQuota),
  ];
}
