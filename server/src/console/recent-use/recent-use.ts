import type { RecentUse, recentUseRoutes } from '@sluice/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import { parseBlacklistPattern } from '#domain/access/blacklist.ts';
import type { Principal } from '#domain/principal.ts';

type Subject = z.output<typeof recentUseRoutes.getRecentUse.request.query>;

const sumsMax = 20_000;

/** Counts requests of the last 24 hours that used an object. The count is displayed before the object is removed. */
export async function getRecentUse(
  tx: TenantTransaction,
  { tenantId }: Principal,
  subject: Subject,
): Promise<RecentUse> {
  const models = subject.model_pattern && (await findModels(tx, tenantId, subject.model_pattern));
  const ofModels = models ? [sql`model = ANY (${models}::text[])`] : [];
  const isUsed = sql.join([sql`true`, ...conditionsOf(subject), ...ofModels], sql` AND `);
  const { rows } = await tx.execute<{
    requests: number;
    users: number;
    last: string | null;
    read: number;
  }>(sql`
    WITH newest AS MATERIALIZED (${newestSums(tenantId)})
    SELECT coalesce(sum(requests) FILTER (WHERE ${isUsed}), 0)::float8 AS requests,
      count(DISTINCT user_id) FILTER (WHERE ${isUsed})::float8 AS users,
      to_char(max(received_at) FILTER (WHERE ${isUsed}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS last,
      count(*)::float8 AS read
    FROM newest`);
  const { requests = 0, users = 0, last = null, read = 0 } = rows[0] ?? {};
  return { requests, is_exact: read < sumsMax, users, last_request_at: last };
}

/** Selects a tenant's newest 15-minute sums in index order. The log itself could require one row read per request. */
const newestSums = (tenantId: number) => sql`
  SELECT user_id, team_id, task_id, api_key_id, llm_provider_id, provider_key, model, requests,
    coalesce(last_received_at, bucket_start) AS received_at
  FROM usage_rollups
  WHERE tenant_id = ${tenantId} AND bucket_start > now() - interval '24 hours 15 minutes' AND requests > 0
    AND coalesce(last_received_at, bucket_start) >= now() - interval '24 hours'
  ORDER BY bucket_start DESC LIMIT ${sumsMax}`;

function conditionsOf(subject: Subject): SQL[] {
  const isAny = (column: SQL, ids: readonly number[] | undefined) =>
    ids === undefined ? [] : [sql`${column} = ANY (${`{${ids.join()}}`}::integer[])`];
  return [
    ...isAny(sql`user_id`, subject.user_id),
    ...isAny(sql`team_id`, subject.team_id),
    ...isAny(sql`task_id`, subject.task_id),
    ...isAny(sql`api_key_id`, subject.api_key_id),
    ...isAny(sql`llm_provider_id`, subject.llm_provider_id),
    ...(subject.provider_key === undefined ? [] : [sql`provider_key = ${subject.provider_key}`]),
  ];
}

async function findModels(tx: TenantTransaction, tenantId: number, pattern: string): Promise<string> {
  const { rows } = await tx.execute<{ model: string }>(
    sql`SELECT DISTINCT model FROM (${newestSums(tenantId)}) newest WHERE model IS NOT NULL`,
  );
  const parsed = parseBlacklistPattern(pattern);
  const models = rows.map(({ model }) => model);
  const matching = parsed.ok ? models.filter((model) => parsed.pattern.fits(model.toLowerCase())) : [];
  return `{${matching.map((model) => JSON.stringify(model)).join()}}`;
}
