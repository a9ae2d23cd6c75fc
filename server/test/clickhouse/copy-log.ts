import type pg from 'pg';
import type { ClickhouseConnection } from '#request-log/clickhouse/connection.ts';
import { toRowId } from '#request-log/clickhouse/row-id.ts';

const batchRows = 5_000;

const selectRows = `SELECT l.id AS key, to_jsonb(l) - 'labels' || jsonb_build_object(
    'labels', COALESCE(l.labels, '{}'), 'price', l.price::text, 'provider_calls', l.provider_calls::text,
    'deviation_receipts', l.deviation_receipts::text, 'cost_nano_usd', l.cost_nano_usd::text,
    'received_at', to_char(l.received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'),
    'prompt', b.prompt, 'response', b.response, 'request_body', translate(encode(b.request_body_zstd, 'base64'), E'\\n', ''),
    'request_bytes', b.request_bytes, 'request_sha256', encode(b.request_sha256, 'hex'), 'response_bytes', b.response_bytes,
    'prompt_privacy', b.prompt_privacy) AS row
  FROM request_logs l LEFT JOIN request_log_bodies b USING (id)
  WHERE l.id > $1 ORDER BY l.id LIMIT ${batchRows}`;

export async function copyLog(pool: pg.Pool, connection: ClickhouseConnection): Promise<void> {
  for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await pool.query<{ key: string; row: object }>(selectRows, [last]);
    if (rows.length === 0) return;
    await connection.insert(
      'request_logs',
      rows.map(({ key, row }) => ({ ...row, id: String(toRowId(key)) })),
      { token: `copy-${last}` },
    );
    last = rows.at(-1)?.key ?? last;
  }
}
