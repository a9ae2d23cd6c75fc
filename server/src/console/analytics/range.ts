import { splitLabel } from '@sluice/contract';
import { eq, sql } from 'drizzle-orm';
import { usageDaySpans } from '#db/schema/request-logs.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { UsageFilters } from '#domain/usage-filters.ts';
import { notFound } from '#errors/console-error.ts';

/** Range of a usage query: either both dates or the last `days` days. */
export interface UsageQuery {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly days: number;
  readonly user_id?: number | undefined;
  readonly team_id?: readonly number[] | undefined;
  readonly task_id?: number | undefined;
  readonly api_key_id?: number | undefined;
  readonly model?: string | undefined;
  readonly provider_key?: string | undefined;
  readonly label?: string | undefined;
}

/** Whole days in a tenant's calendar. `from` (inclusive) and `end` (exclusive) are instants. */
export interface DayRange extends UsageFilters {
  readonly tenantId: number;
  readonly timeZone: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly from: string;
  readonly end: string;
  /**
   * First day of the range with complete daily sums, or the day after the range if no day has them. `wholeFrom` is the
   * start of this day.
   */
  readonly firstWholeDay: string;
  readonly wholeFrom: string;
  /** First day whose usage is still kept under the tenant's retention setting. */
  readonly firstKeptDay: string;
}

/** Resolves a query to days, based on the database clock and the tenant's current time zone. */
export async function readRange(
  tx: TenantTransaction,
  tenantId: number,
  query: UsageQuery,
): Promise<DayRange> {
  const { start_date: first, end_date: last, days } = query;
  const zone = tenants.timeZone;
  const today = sql`(now() AT TIME ZONE ${zone})::date`;
  const isDated = first !== undefined && last !== undefined;
  const firstDay = isDated ? sql`${sinceEpoch(first)}::date` : sql`${today} - ${days - 1}::integer`;
  const lastDay = isDated ? sql`${sinceEpoch(last)}::date` : today;
  const firstWholeDay = sql`greatest(${firstDay}, least(${usageDaySpans.wholeFrom}, ${lastDay} + 1))`;
  const [range] = await tx
    .select({
      timeZone: zone,
      firstDay: sql<string>`(${firstDay})::text`,
      lastDay: sql<string>`(${lastDay})::text`,
      from: sql<string>`((${firstDay})::timestamp AT TIME ZONE ${zone})::text`,
      end: sql<string>`((${lastDay} + 1)::timestamp AT TIME ZONE ${zone})::text`,
      firstWholeDay: sql<string>`(${firstWholeDay})::text`,
      wholeFrom: sql<string>`((${firstWholeDay})::timestamp AT TIME ZONE ${zone})::text`,
      firstKeptDay: sql<string>`((now() - make_interval(days => ${tenants.usageRetentionDays})) AT TIME ZONE ${zone})::date::text`,
    })
    .from(tenants)
    .innerJoin(usageDaySpans, eq(usageDaySpans.tenantId, tenants.id))
    .where(eq(tenants.id, tenantId));
  if (!range) throw notFound('Tenant');
  return { ...range, tenantId, ...toFilters(query) };
}

const toFilters = (query: UsageQuery): UsageFilters => ({
  userId: query.user_id,
  teamIds: query.team_id,
  taskId: query.task_id,
  apiKeyIds: query.api_key_id === undefined ? undefined : [query.api_key_id],
  model: query.model || undefined,
  providerKey: query.provider_key || undefined,
  label: query.label ? splitLabel(query.label) : undefined,
});

/** PostgreSQL has no year 0, and there is no usage before 1970. */
const sinceEpoch = (day: string) => (day < '1970-01-02' ? '1970-01-02' : day);

const dayMs = 24 * 3_600_000;

/** Lists every day of a range as `YYYY-MM-DD`. */
export function listDays({ firstDay, lastDay }: Pick<DayRange, 'firstDay' | 'lastDay'>): string[] {
  const first = Date.parse(firstDay);
  const count = (Date.parse(lastDay) - first) / dayMs + 1;
  return Array.from({ length: count }, (_, place) =>
    new Date(first + place * dayMs).toISOString().slice(0, 10),
  );
}
