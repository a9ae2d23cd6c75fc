import { eq, sql } from 'drizzle-orm';
import { tenants } from '#db/schema/tenants.ts';
import { usageDaySpans } from '#db/schema/usage-day-spans.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { notFound } from '#errors/console-error.ts';

/** What is asked about. Both dates, or the last `days`. */
export interface UsageQuery {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly days: number;
  readonly user_id?: number | undefined;
}

/** Whole days of a tenant's calendar; `from` until `end` are the instants they last. */
export interface DayRange {
  readonly tenantId: number;
  readonly userId: number | undefined;
  readonly timeZone: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly from: string;
  readonly end: string;
  /** The first day of the range whose sums are whole, and the instant it begins; the day after the last when none is. */
  readonly firstWholeDay: string;
  readonly wholeFrom: string;
  /** The first day of the tenant's usage that retention leaves. */
  readonly firstKeptDay: string;
}

/** The days of a query, by the database's clock and the tenant's zone as it is now. */
export async function readRange(
  tx: TenantTransaction,
  tenantId: number,
  { start_date: first, end_date: last, days, user_id: userId }: UsageQuery,
): Promise<DayRange> {
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
  return { ...range, tenantId, userId };
}

/** The database knows no year 0, and nothing was asked before the epoch. */
const sinceEpoch = (day: string) => (day < '1970-01-02' ? '1970-01-02' : day);

const dayMs = 24 * 3_600_000;

/** Every day of a range, `2026-11-20`. */
export function listDays({ firstDay, lastDay }: Pick<DayRange, 'firstDay' | 'lastDay'>): string[] {
  const first = Date.parse(firstDay);
  const count = (Date.parse(lastDay) - first) / dayMs + 1;
  return Array.from({ length: count }, (_, place) =>
    new Date(first + place * dayMs).toISOString().slice(0, 10),
  );
}
