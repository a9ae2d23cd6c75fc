import { type ShadowDifference, shadowDifferences } from '@sluice/contract';
import { and, asc, count, desc, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import { llmProviders } from '#db/schema/llm-providers.ts';
import { type ShadowRunSums, shadowRequests, shadowRuns } from '#db/schema/shadow-runs.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';

const runColumns = {
  id: shadowRuns.id,
  name: shadowRuns.name,
  source: shadowRuns.source,
  comparedWith: shadowRuns.comparedWith,
  startedAt: shadowRuns.startedAt,
  endedAt: shadowRuns.endedAt,
};

export function selectRuns(tx: TenantTransaction, tenantId: number, runId?: number) {
  return tx
    .select({
      ...runColumns,
      sums: sql<ShadowRunSums>`coalesce(${shadowRuns.sums}, sum_shadow_requests(${shadowRuns.tenantId}, ${shadowRuns.id}))`,
    })
    .from(shadowRuns)
    .where(and(eq(shadowRuns.tenantId, tenantId), runId === undefined ? undefined : eq(shadowRuns.id, runId)))
    .orderBy(desc(shadowRuns.id));
}

export type RunRow = Awaited<ReturnType<typeof selectRuns>>[number];

export async function hasRun(tx: TenantTransaction, tenantId: number, runId: number): Promise<boolean> {
  const rows = await tx
    .select({ id: shadowRuns.id })
    .from(shadowRuns)
    .where(and(eq(shadowRuns.tenantId, tenantId), eq(shadowRuns.id, runId)));
  return rows.length > 0;
}

/** A foreign key deletes the run's requests. */
export async function deleteRunRow(tx: TenantTransaction, tenantId: number, runId: number): Promise<boolean> {
  const deleted = await tx
    .delete(shadowRuns)
    .where(and(eq(shadowRuns.tenantId, tenantId), eq(shadowRuns.id, runId)))
    .returning({ id: shadowRuns.id });
  return deleted.length > 0;
}

export interface GroupRow
  extends Omit<ShadowRunSums, 'first_request_at' | 'last_request_at'>,
    Record<string, unknown> {
  readonly kind: 'refusal' | 'model' | 'user';
  readonly error_code: string | null;
  /** Number of known users who received the error. */
  readonly users: number;
  readonly model_requested: string | null;
  readonly user_id: number | null;
  readonly user_name: string | null;
  readonly user_email: string | null;
}

const countsByDifference = sql.join(
  shadowDifferences.map(
    (name) => sql`count(*) FILTER (WHERE r.difference = ${name})::int AS ${sql.identifier(name)}`,
  ),
  sql`, `,
);
const isPriced = sql`r.error_code IS NULL AND r.other_outcome = 'served' AND r.cost_nano_usd IS NOT NULL
  AND r.other_cost_nano_usd IS NOT NULL`;

/** Returns sums by error code, and sums of the models and users with the most requests. */
export async function selectGroups(
  tx: TenantTransaction,
  { tenantId, runId, groupsMax }: { tenantId: number; runId: number; groupsMax: number },
): Promise<GroupRow[]> {
  const { rows } = await tx.execute<GroupRow>(sql`
    WITH grouped AS MATERIALIZED (
      SELECT CASE GROUPING(r.error_code, r.model_requested, u.id) WHEN 2 THEN 'refusal' WHEN 5 THEN 'model' ELSE 'user' END AS kind,
        r.error_code, r.model_requested, u.id AS user_id, count(*)::int AS requests, ${countsByDifference},
        coalesce(sum(r.cost_nano_usd) FILTER (WHERE ${isPriced}), 0) AS cost_nano_usd,
        coalesce(sum(r.other_cost_nano_usd) FILTER (WHERE ${isPriced}), 0) AS other_cost_nano_usd
      FROM shadow_requests r LEFT JOIN users u ON u.tenant_id = r.tenant_id AND u.id = r.user_id
      WHERE r.tenant_id = ${tenantId} AND r.run_id = ${runId}
      GROUP BY GROUPING SETS ((r.error_code, u.id), (r.model_requested), (u.id))
    ), refusals AS (
      SELECT kind, error_code, NULL::text AS model_requested, NULL::integer AS user_id, sum(requests)::int AS requests,
        count(user_id)::int AS users
      FROM grouped WHERE kind = 'refusal' AND error_code IS NOT NULL GROUP BY kind, error_code
    ), ranked AS (
      SELECT *, row_number() OVER (PARTITION BY kind ORDER BY requests DESC, model_requested, user_id) AS place
      FROM grouped WHERE kind <> 'refusal'
    ), listed AS (
      SELECT kind, NULL::text AS error_code, 0 AS users, model_requested, user_id, requests, none, refused_here, refused_there,
        other_model, other_cost, not_compared, cost_nano_usd, other_cost_nano_usd
      FROM ranked WHERE place <= ${groupsMax}
      UNION ALL SELECT kind, error_code, users, NULL, NULL, requests, 0, requests, 0, 0, 0, 0, 0, 0 FROM refusals
    )
    SELECT listed.*, listed.cost_nano_usd::text AS cost_nano_usd, listed.other_cost_nano_usd::text AS other_cost_nano_usd,
      u.name AS user_name, u.email AS user_email
    FROM listed LEFT JOIN users u ON u.tenant_id = ${tenantId} AND u.id = listed.user_id
    ORDER BY requests DESC, error_code, model_requested, user_id`);
  return rows;
}

export interface RequestFilters {
  readonly difference?: ShadowDifference | undefined;
  readonly error_code?: string | undefined;
  readonly model_requested?: string | undefined;
  readonly user_id?: number | undefined;
  /** Only returns requests after this position. */
  readonly after?: number | undefined;
}

export interface RunKey {
  readonly tenantId: number;
  readonly runId: number;
}

function requestCondition({ tenantId, runId }: RunKey, filters: RequestFilters) {
  const { after, difference, error_code: errorCode, model_requested: model, user_id: userId } = filters;
  return and(
    eq(shadowRequests.tenantId, tenantId),
    eq(shadowRequests.runId, runId),
    difference && eq(shadowRequests.difference, difference),
    errorCode === undefined ? undefined : eq(shadowRequests.errorCode, errorCode),
    model === undefined ? undefined : eq(shadowRequests.modelRequested, model),
    userId === undefined ? undefined : eq(shadowRequests.userId, userId),
    after === undefined ? undefined : gt(shadowRequests.position, after),
  );
}

/** Returns requests in the order received. The user's id is `null` if the user was deleted. */
export function selectRequests(
  tx: TenantTransaction,
  run: RunKey,
  { skip, limit, ...filters }: RequestFilters & { skip: number; limit: number },
) {
  return tx
    .select({
      ...getTableColumns(shadowRequests),
      userId: users.id,
      userName: users.name,
      userEmail: users.email,
      providerName: llmProviders.providerInstanceName,
    })
    .from(shadowRequests)
    .leftJoin(users, and(eq(users.tenantId, run.tenantId), eq(users.id, shadowRequests.userId)))
    .leftJoin(
      llmProviders,
      and(eq(llmProviders.tenantId, run.tenantId), eq(llmProviders.id, shadowRequests.llmProviderId)),
    )
    .where(requestCondition(run, filters))
    .orderBy(asc(shadowRequests.position))
    .offset(skip)
    .limit(limit);
}

export type RequestRow = Awaited<ReturnType<typeof selectRequests>>[number];

export async function countRequests(
  tx: TenantTransaction,
  run: RunKey,
  filters: RequestFilters,
): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(shadowRequests)
    .where(requestCondition(run, filters));
  return row?.total ?? 0;
}
