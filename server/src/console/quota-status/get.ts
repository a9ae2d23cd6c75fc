import { type QuotaStatus, standingWarnings } from '@sluice/contract';
import type { AllowanceKind } from '#domain/allowance/kind.ts';
import { findWindow } from '#domain/allowance/window.ts';
import { readPolicy } from '#domain/deviation/read-policy.ts';
import { decayScore, findLevel } from '#domain/deviation/score.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { selectSettled, selectStanding } from './store.ts';

/** Returns the caller's limits and standing by the database clock. */
export function getQuotaStatus({ principal, inTenant }: SignedInContext): Promise<QuotaStatus> {
  return inTenant(async (tx) => {
    const person = await selectStanding(tx, principal.userId);
    if (!person) throw notFound('User');
    const { mode, thresholds } = readPolicy(person.policy);
    const score = decayScore(person.score, person.nowMs - (person.scoredAt?.getTime() ?? person.nowMs));
    const level = findLevel(score, thresholds);
    const readQuota = async (kind: AllowanceKind, limit: number | null) => {
      const { startMs, endMs } = findWindow(kind, person.nowMs, person.timeZone);
      const used = await selectSettled(tx, kind, principal.userId, new Date(startMs));
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
  });
}
