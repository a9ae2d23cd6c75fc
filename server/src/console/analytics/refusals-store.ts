import { sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';
import type { DayRange } from './range.ts';

/** Counts rejected requests by day and reason, most frequent first. A log row may represent several rejections. */
export async function selectRefusals(tx: TenantTransaction, range: DayRange) {
  const { tenantId, userId, from, end } = range;
  const ofUser = userId === undefined ? sql`` : sql`AND user_id = ${userId}`;
  const { rows } = await tx.execute<{ date: string; reason: string; count: number; rows: number }>(sql`
    SELECT (${range.firstDay}::date + place - 1)::text AS date, reason, count, rows FROM (
      SELECT ${dayOfRow(range)} AS place, coalesce(error_code, 'refused') AS reason, sum(repeats)::float8 AS count,
        count(*)::float8 AS rows
      FROM request_logs
      WHERE tenant_id = ${tenantId} ${ofUser} AND status = 'refused'
        AND id >= uuid_floor(${from}::timestamptz) AND id < uuid_floor(${end}::timestamptz)
      GROUP BY 1, 2
    ) refused ORDER BY count DESC, place, reason`);
  return rows;
}

/** Position of the row's day in the range, derived from the id like in the day filter of the log. */
const dayOfRow = ({ firstDay, lastDay, timeZone }: DayRange) => sql`width_bucket(id, (
  SELECT array_agg(uuid_floor(day AT TIME ZONE ${timeZone}) ORDER BY day)
  FROM generate_series(${firstDay}::timestamp, ${lastDay}::timestamp, '1 day') day
))`;
