import { and, eq, sql } from 'drizzle-orm';
import { allowances } from '#db/schema/allowances.ts';
import { tenants } from '#db/schema/tenants.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { AllowanceKind } from '#domain/allowance/kind.ts';

export async function selectStanding(tx: TenantTransaction, userId: number) {
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

export async function selectSettled(
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
