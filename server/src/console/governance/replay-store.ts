import type { IntentName, RoleName, taskCategories } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';

/** Log fields of a request that changed a score. */
export interface CountedLog extends Record<string, unknown> {
  readonly id: string;
  readonly user_id: number;
  readonly role: RoleName;
  readonly received_at_ms: number;
  readonly status: string;
  readonly http_status: number;
  readonly error_code: string | null;
  readonly repeats: number;
  readonly intent: IntentName | null;
  readonly confidence: number | null;
  readonly category: (typeof taskCategories)[number] | null;
  readonly wording: number | null;
}

const pageRows = 5_000;

/**
 * Yields a tenant's requests of the last days that changed a score, in order of admission, a few thousand at a time.
 */
export async function* readCountedLogs(
  tx: TenantTransaction,
  tenantId: number,
  days: number,
): AsyncGenerator<CountedLog> {
  await tx.execute(sql`DECLARE counted_logs NO SCROLL CURSOR FOR
    SELECT l.id, l.user_id, r.name AS role, (extract(epoch FROM l.received_at) * 1000)::float8 AS received_at_ms, l.status, l.http_status,
      l.error_code, l.repeats, l.intent_classification AS intent, l.confidence_score AS confidence, t.category,
      (jsonb_path_query_first(l.deviation_receipts, '$[*] ? (@.name == "wording").value'))::float8 AS wording
    FROM request_logs l JOIN users u ON u.id = l.user_id JOIN roles r ON r.id = u.role_id
      LEFT JOIN tasks t ON t.id = l.task_id
    WHERE l.tenant_id = ${tenantId} AND l.id >= uuid_floor(now() - make_interval(days => ${days}::integer))
      AND l.user_id IS NOT NULL AND l.user_score_after IS NOT NULL
    ORDER BY l.received_at, l.id`);
  while (true) {
    const { rows } = await tx.execute<CountedLog>(sql.raw(`FETCH ${pageRows} FROM counted_logs`));
    yield* rows;
    if (rows.length < pageRows) return;
  }
}
