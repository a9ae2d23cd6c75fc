import type { RetentionPreview } from '@sluice/contract';
import { findNextRetentionRun, retentionCutoff } from '#domain/retention.ts';
import { invalidField } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { Clock } from '#platform/clock.ts';
import { countOldBodies, countOldRows } from './store.ts';

/** Higher counts need not be exact. */
const countMax = 1_000_000;

interface RetentionDays {
  readonly retention_days: number;
  readonly body_retention_days: number;
}

/** Counts what the next run of the job would delete with these retention days. */
export function previewRetention(
  clock: Clock,
  { principal, inTenant }: SignedInContext,
  { retention_days: rowDays, body_retention_days: bodyDays }: RetentionDays,
): Promise<RetentionPreview> {
  if (bodyDays > rowDays) {
    throw invalidField(
      'body_retention_days',
      'Prompts and answers cannot be kept longer than their log rows',
    );
  }
  const runsAt = findNextRetentionRun(clock());
  const rowsFrom = retentionCutoff(runsAt.getTime(), rowDays);
  const bodiesFrom = retentionCutoff(runsAt.getTime(), bodyDays);
  return inTenant(async (tx) => {
    const rows = await countOldRows(tx, principal.tenantId, rowsFrom, countMax + 1);
    const bodies = await countOldBodies(tx, principal.tenantId, [rowsFrom, bodiesFrom], countMax + 1);
    return {
      rows: Math.min(rows, countMax),
      bodies: Math.min(bodies, countMax),
      is_exact: rows <= countMax && bodies <= countMax,
      runs_at: runsAt.toISOString(),
    };
  });
}
