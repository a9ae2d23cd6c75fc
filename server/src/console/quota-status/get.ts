import { type QuotaStatus, standingWarnings } from '@sluice/contract';
import { and, eq, sql } from 'drizzle-orm';
import { allowances } from '#db/schema/tasks.ts';
import { tenants } from '#db/schema/tenants.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { type AllowanceKind, findWindow } from '#domain/allowance/window.ts';
import { readPolicy } from '#domain/deviation/policy.ts';
import { decayScore, findLevel } from '#domain/deviation/score.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';

export async function getQuotaStatus(tx: TenantTransaction, author: Principal): Promise<QuotaStatus> {
  const person = await selectStanding(tx, author.userId);
  if (!person) throw notFound('User');
  const { mode, thresholds } = readPolicy(person.policy);
  const score = decayScore(person.score, person.nowMs - (person.scoredAt?.getTime() ?? person.nowMs));
  const level = findLevel(score, thresholds);
  const readQuota = async (kind: AllowanceKind, limit: number | null) => {
    const { startMs, endMs } = findWindow(kind, person.nowMs, person.timeZone);
    const used = await selectSettled(tx, kind, author.userId, new Date(startMs));
    return { used, limit, resets_at: new Date(endMs).toISOString() };
  };
  return {
    deviation_score: score,
    level,
    warnings: {
      blocked_status: person.isBlocked ? standingWarnings.blocked_status : null,
      high_deviation_score: level === 'high' ? standingWarnings.high_deviation_score : null,
    },
    blocked_reason: person.isBlocked ? person.blockedReason : null,
    blocked_at: person.isBlocked ? (person.blockedAt?.toISOString() ?? null) : null,
    policy: { mode, thresholds },
    quotas: {
      requests_per_hour: await readQuota('requests_per_hour', person.requestsPerHour),
      tokens_per_day: await readQuota('tokens_per_day', person.dailyQuota),
      tokens_per_month: await readQuota('tokens_per_month', person.monthlyQuota),
    },
  };
}

async function selectStanding(tx: TenantTransaction, userId: number) {
  const [row] = await tx
    .select({
      score: users.deviationScore,
      scoredAt: users.deviationScoredAt,
      isBlocked: users.isBlocked,
      blockedReason: users.blockedReason,
      blockedAt: users.blockedAt,
      requestsPerHour: users.requestsPerHour,
      dailyQuota: users.dailyQuota,
      monthlyQuota: users.monthlyQuota,
      policy: tenants.deviationPolicy,
      timeZone: tenants.timeZone,
      nowMs: sql`floor(extract(epoch FROM now()) * 1000)`.mapWith(Number),
    })
    .from(users)
    .innerJoin(tenants, eq(tenants.id, users.tenantId))
    .where(eq(users.id, userId));
  return row;
}

async function selectSettled(
  tx: TenantTransaction,
  kind: AllowanceKind,
  userId: number,
  windowStart: Date,
): Promise<number> {
  const [row] = await tx
    .select({ settled: allowances.settled })
    .from(allowances)
    .where(
      and(
        eq(allowances.kind, kind),
        eq(allowances.subjectId, userId),
        eq(allowances.windowStart, windowStart),
      ),
    );
  return Number(row?.settled ?? 0);
}
