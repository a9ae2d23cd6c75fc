import { type SQL, sql } from 'drizzle-orm';
import type { UsageFilters } from '#domain/usage-filters.ts';

/** Returns the SQL conditions of filters that apply to both usage and the request log. */
export function filterUsage({ apiKeyIds, model, providerKey, taskId, teamIds, userId }: UsageFilters): SQL {
  const is = (column: SQL, value: number | string | undefined) =>
    value === undefined ? sql`` : sql` AND ${column} = ${value}`;
  const isOneOf = (column: SQL, ids: readonly number[] | undefined) =>
    ids === undefined ? sql`` : sql` AND ${column} = ANY (${`{${ids.join()}}`}::integer[])`;
  return sql.join([
    is(sql`user_id`, userId),
    isOneOf(sql`team_id`, teamIds),
    is(sql`task_id`, taskId),
    isOneOf(sql`api_key_id`, apiKeyIds),
    is(sql`model`, model),
    is(sql`provider_key`, providerKey),
  ]);
}

export function filterLabel({ label }: UsageFilters): SQL {
  if (!label) return sql``;
  const { name, value } = label;
  return value === null
    ? sql` AND labels ? ${name}`
    : sql` AND labels @> ${JSON.stringify({ [name]: value })}::jsonb`;
}
