import type { StatementGrouping } from '@sluice/contract';
import { eq, sql } from 'drizzle-orm';
import { selectDeletedName } from '#console/analytics/deleted-name.ts';
import type { DayRange } from '#console/analytics/range.ts';
import { labeledBy, usedBy } from '#console/analytics/used-by.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { TenantTransaction } from '#db/tenant.ts';

const sums = sql`coalesce(sum(requests), 0) AS requests, coalesce(sum(tokens), 0) AS tokens,
  coalesce(sum(user_llm_nano_usd), 0) AS self, coalesce(sum(company_llm_nano_usd), 0) AS service`;

export interface Grouping {
  readonly by: StatementGrouping;
  readonly label: string;
  readonly rowsMax: number;
}

/** Sums of a statement row or of the total, or the ledger's deductions in `service`. Costs are in nano-dollars. */
export interface StatementSums {
  readonly kind: 'value' | 'other' | 'total' | 'ledger';
  readonly teamId: number | null;
  readonly name: string | null;
  readonly requests: number;
  readonly tokens: number;
  readonly self: string;
  readonly service: string;
}

/** Uses a single SQL statement, so that a request being written is in all sums or in none. */
export async function selectSums(
  tx: TenantTransaction,
  range: DayRange,
  { by, label, rowsMax }: Grouping,
): Promise<StatementSums[]> {
  const { tenantId, from, end } = range;
  const grouped =
    by === 'team'
      ? sql`SELECT team.*, coalesce(t.name, ${selectDeletedName(tenantId, 'team', sql`team.team_id`)}, 'Team #' || team.team_id) AS name
          FROM (SELECT team_id, ${sums} ${usedBy(['team_id'], range)} WHERE team_id IS NOT NULL GROUP BY 1) team
          LEFT JOIN teams t ON t.id = team.team_id`
      : sql`SELECT NULL::integer AS team_id, used.labels->>${label} AS name, ${sums}
          ${labeledBy({ ...range, label: range.label ?? { name: label, value: null } })} GROUP BY 2`;
  const { rows } = await tx.execute<StatementSums & Record<string, unknown>>(sql`
    WITH grouped AS (${grouped}),
      ranked AS (SELECT *, row_number() OVER (ORDER BY self + service DESC, requests DESC, name, team_id) AS place FROM grouped),
      listed AS (
        SELECT 'value' AS kind, place, team_id, name, requests, tokens, self, service FROM ranked WHERE place <= ${rowsMax}
        UNION ALL SELECT 'other', NULL, NULL, NULL, sum(requests), sum(tokens), sum(self), sum(service)
          FROM ranked WHERE place > ${rowsMax} HAVING count(*) > 0
        UNION ALL SELECT 'total', NULL, NULL, NULL, whole.* FROM (SELECT ${sums} ${usedBy([], range)}) whole
        UNION ALL SELECT 'ledger', NULL, NULL, NULL, 0, 0, 0, coalesce(-sum(amount), 0) FROM ledger_entries
          WHERE tenant_id = ${tenantId} AND kind = 'deduction' AND minute >= ${from}::timestamptz AND minute < ${end}::timestamptz
      )
    SELECT kind, team_id AS "teamId", name, requests::float8 AS requests, tokens::float8 AS tokens, self::text AS self,
      service::text AS service
    FROM listed ORDER BY place`);
  return rows;
}

export async function findCalendar(tx: TenantTransaction, tenantId: number, lastDay: string) {
  const [row] = await tx
    .select({
      name: tenants.name,
      isOver: sql<boolean>`(now() AT TIME ZONE ${tenants.timeZone})::date > ${lastDay}::date`,
    })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  return row;
}
