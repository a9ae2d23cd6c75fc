import { type TeamUsage, toUsd } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import { readDailyUsage } from '#console/analytics/list-usage.ts';
import { type DayRange, readRange } from '#console/analytics/range.ts';
import { selectTopUsers } from '#console/analytics/select-top.ts';
import { usedBy } from '#console/analytics/used-by.ts';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { requireTeam } from './read.ts';

const days = 30;
const topUsersMax = 5;

/** @throws ConsoleError 404 if the caller does not manage the team */
export async function getTeamUsage(tx: LogTransaction, author: Author, teamId: number): Promise<TeamUsage> {
  await requireTeam(tx, author, teamId);
  const { reports } = tx;
  const range = await readRange(reports, author.tenantId, { days, team_id: [teamId] });
  const topUsers = await selectTopUsers(reports, range, { limit: topUsersMax, metric: 'cost' });
  return {
    days: await readDailyUsage(reports, range),
    models: (await selectModels(reports, teamId, range)).map((row) => ({
      model: row.model,
      is_granted: row.isGranted,
      ...toMeasures(row),
    })),
    top_users: topUsers.map((row) => ({
      user_id: row.id,
      user_name: row.name ?? `User #${row.id}`,
      ...toMeasures(row),
    })),
  };
}

interface Used {
  readonly requests: number;
  readonly tokens: number;
  /** Cost in nano-dollars. */
  readonly cost: string;
}

const toMeasures = ({ requests, tokens, cost }: Used) => ({
  requests,
  tokens,
  cost_usd: toUsd(BigInt(cost)),
});

async function selectModels(tx: TenantTransaction, teamId: number, range: DayRange) {
  const { rows } = await tx.execute<
    Used & Record<string, unknown> & { model: string; isGranted: boolean }
  >(sql`
    WITH granted AS (
      SELECT DISTINCT unnest(a.allowed_models) AS model
      FROM team_provider_access a JOIN llm_providers p ON p.id = a.llm_provider_id AND p.is_active
      WHERE a.tenant_id = ${range.tenantId} AND a.team_id = ${teamId}
    ), used AS (
      SELECT model, sum(requests) AS requests, sum(tokens) AS tokens, sum(user_llm_nano_usd + company_llm_nano_usd) AS cost
      ${usedBy(['model'], range)} WHERE model IS NOT NULL GROUP BY model
    )
    SELECT model, granted.model IS NOT NULL AS "isGranted", coalesce(requests, 0)::float8 AS requests,
      coalesce(tokens, 0)::float8 AS tokens, coalesce(used.cost, 0)::text AS cost
    FROM granted FULL JOIN used USING (model)
    ORDER BY coalesce(used.cost, 0) DESC, coalesce(requests, 0) DESC, model`);
  return rows;
}
