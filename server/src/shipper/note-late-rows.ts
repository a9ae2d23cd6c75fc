import type pg from 'pg';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';

/** An hour is not closed before it has ended, and clocks of nodes may differ. */
const clockToleranceMs = 600_000;
const hourMs = 3_600_000;

/** Notes the rows whose hour has been closed for the export, in the transaction that books them. */
export async function noteLateRows(
  client: pg.ClientBase,
  records: readonly Pick<RequestRecord, 'id' | 'tenantId'>[],
): Promise<void> {
  const openFromMs = Math.floor((Date.now() + clockToleranceMs) / hourMs) * hourMs;
  const old = records.filter(({ id, tenantId }) => tenantId !== null && timeOf(id) < openFromMs);
  if (old.length === 0) return;
  const hours = old.map(({ id }) => new Date(Math.floor(timeOf(id) / hourMs) * hourMs).toISOString());
  await client.query(insertLate, [old.map(({ id }) => id), old.map(({ tenantId }) => tenantId), hours]);
}

const timeOf = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

const insertLate = `INSERT INTO late_log_rows (id, tenant_id, hour)
  SELECT booked.* FROM unnest($1::uuid[], $2::integer[], $3::timestamptz[]) AS booked (id, tenant_id, hour)
  WHERE EXISTS (SELECT FROM log_exports e WHERE e.hour = booked.hour AND e.number = 0)
  ON CONFLICT (id) DO NOTHING`;
