import { and, eq, sql } from 'drizzle-orm';
import { roles, users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';

type Person = Pick<Principal, 'tenantId' | 'userId'>;

const tokens = sql`coalesce(sum(input_tokens + cache_read_tokens + cache_write_tokens + output_tokens), 0)`;
const ofPerson = ({ tenantId, userId }: Person) =>
  sql`tenant_id = ${tenantId} AND user_id = ${userId} AND requests > 0`;

export async function selectOwnUsage(tx: TenantTransaction, person: Person, since: string) {
  const { rows } = await tx.execute<{
    tokens: number;
    requests: number;
    recentTokens: number;
    recentRequests: number;
  }>(sql`
    SELECT ${tokens}::float8 AS tokens, coalesce(sum(requests), 0)::float8 AS requests,
      coalesce(sum(input_tokens + cache_read_tokens + cache_write_tokens + output_tokens)
        FILTER (WHERE bucket_start >= ${since}::timestamptz), 0)::float8 AS "recentTokens",
      coalesce(sum(requests) FILTER (WHERE bucket_start >= ${since}::timestamptz), 0)::float8 AS "recentRequests"
    FROM usage_rollups WHERE ${ofPerson(person)}`);
  return rows[0] ?? { tokens: 0, requests: 0, recentTokens: 0, recentRequests: 0 };
}

interface Days {
  readonly timeZone: string;
  readonly from: string;
  readonly end: string;
}

/** Days without requests have no row. */
export async function selectOwnDays(tx: TenantTransaction, person: Person, { timeZone, from, end }: Days) {
  const { rows } = await tx.execute<{ date: string; tokens: number; requests: number; cost: string }>(sql`
    SELECT ((bucket_start AT TIME ZONE ${timeZone})::date)::text AS date, ${tokens}::float8 AS tokens,
      sum(requests)::float8 AS requests, sum(cost_nano_usd)::text AS cost
    FROM usage_rollups
    WHERE ${ofPerson(person)} AND bucket_start >= ${from}::timestamptz AND bucket_start < ${end}::timestamptz
    GROUP BY 1`);
  return rows;
}

export async function findPerson(tx: TenantTransaction, { tenantId, userId }: Person) {
  const [row] = await tx
    .select({
      name: users.name,
      email: users.email,
      createdAt: users.createdAt,
      lastLoginAt: users.lastLoginAt,
      score: users.deviationScore,
      scoredAt: users.deviationScoredAt,
      nowMs: sql`floor(extract(epoch FROM now()) * 1000)`.mapWith(Number),
      role: roles.name,
    })
    .from(users)
    .innerJoin(roles, eq(roles.id, users.roleId))
    .where(and(eq(users.tenantId, tenantId), eq(users.id, userId)));
  return row;
}

export async function countOwnTasks(tx: TenantTransaction, { tenantId, userId }: Person) {
  const { rows } = await tx.execute<{ active: number; completed: number }>(sql`
    SELECT count(*) FILTER (WHERE assignment.status = 'active' AND task.is_active)::float8 AS active,
      count(*) FILTER (WHERE assignment.status = 'completed')::float8 AS completed
    FROM task_assignments assignment JOIN tasks task ON task.id = assignment.task_id
    WHERE assignment.tenant_id = ${tenantId} AND assignment.user_id = ${userId}`);
  return rows[0] ?? { active: 0, completed: 0 };
}

export async function renamePerson(
  tx: TenantTransaction,
  { tenantId, userId }: Person,
  name: string,
): Promise<void> {
  await tx
    .update(users)
    .set({ name })
    .where(and(eq(users.tenantId, tenantId), eq(users.id, userId)));
}
