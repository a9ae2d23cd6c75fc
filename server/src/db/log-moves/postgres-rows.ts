import type pg from 'pg';
import type { MovedRow } from './move-side.ts';

const logColumns = [
  ...[
    'id',
    'tenant_id',
    'user_id',
    'api_key_id',
    'task_id',
    'team_id',
    'labels',
    'llm_provider_id',
    'provider_key',
  ],
  ...[
    'provider_instance_name',
    'protocol',
    'operation',
    'model_requested',
    'downgraded_by_budget_id',
    'model',
  ],
  ...[
    'status',
    'http_status',
    'error_code',
    'error_message',
    'is_stream',
    'attempts',
    'provider_calls',
    'repeats',
  ],
  ...[
    'received_at',
    'first_byte_ms',
    'response_time_ms',
    'prompt_tokens',
    'cache_read_tokens',
    'cache_write_tokens',
  ],
  ...['completion_tokens', 'reasoning_tokens', 'usage_source', 'client_request_id', 'cost_nano_usd'],
  ...['is_service_managed', 'price', 'intent_classification', 'confidence_score', 'user_score_before'],
  ...['user_score_after', 'deviation_score_delta', 'deviation_receipts'],
];
/** Columns whose JSON is stored as text in ClickHouse. */
const jsonColumns = new Set(['provider_calls', 'price', 'deviation_receipts']);
const bodyColumns = [
  ...['id', 'tenant_id', 'prompt', 'response', 'request_body_zstd', 'request_bytes', 'request_sha256'],
  ...['response_bytes', 'prompt_privacy', 'body_object', 'body_offset', 'body_length', 'is_cut'],
];

const readColumn = (column: string) => {
  if (jsonColumns.has(column)) return `(${column} #>> '{}')::jsonb`;
  return column === 'labels' ? "NULLIF(labels, '{}')" : column;
};

const insertLogs = `INSERT INTO request_logs (${logColumns.join(', ')})
  SELECT ${logColumns.map(readColumn).join(', ')} FROM json_populate_recordset(NULL::request_logs, $1::json)
  ON CONFLICT DO NOTHING RETURNING id`;
const insertBodies = `INSERT INTO request_log_bodies (${bodyColumns.join(', ')})
  SELECT ${bodyColumns.join(', ')} FROM json_populate_recordset(NULL::request_log_bodies, $1::json)
  ON CONFLICT DO NOTHING`;

/** Creates the same blocks for a range of ids as `make_text_blocks`. */
const insertTextBlocks = `INSERT INTO request_log_text_blocks (id, tenant_id, last_id, row_ids, ngrams)
  SELECT (array_agg(id ORDER BY id))[1], tenant_id, (array_agg(id ORDER BY id DESC))[1], array_agg(id ORDER BY id),
    text_ngrams(string_agg(concat_ws(' ', prompt, response), ' '))
  FROM (
    SELECT id, tenant_id, prompt, response, (row_number() OVER (PARTITION BY tenant_id ORDER BY id) - 1) / 32 AS place
    FROM request_log_bodies WHERE id = ANY ($1::uuid[]) AND (prompt IS NOT NULL OR response IS NOT NULL)
  ) numbered
  GROUP BY tenant_id, place`;

/** Inserts missing rows of one day, their texts and their search blocks in one transaction. */
export async function insertRows(client: pg.ClientBase, rows: readonly MovedRow[]): Promise<void> {
  await client.query('BEGIN');
  const logs = rows.map((row) => ({ ...row, received_at: `${row.received_at}+00` }));
  const { rows: inserted } = await client.query<{ id: string }>(insertLogs, [JSON.stringify(logs)]);
  const ids = new Set(inserted.map(({ id }) => id));
  const bodies = rows.filter(({ id, prompt_privacy }) => ids.has(id) && prompt_privacy !== null).map(toBody);
  if (bodies.length > 0) {
    await client.query(insertBodies, [JSON.stringify(bodies)]);
    await client.query(insertTextBlocks, [bodies.map(({ id }) => id)]);
  }
  await client.query('COMMIT');
}

const toBody = ({ request_body: body, request_sha256: sha256, ...row }: MovedRow) => ({
  ...row,
  request_body_zstd: typeof body === 'string' ? `\\x${Buffer.from(body, 'base64').toString('hex')}` : null,
  request_sha256: typeof sha256 === 'string' ? `\\x${sha256}` : null,
  // If the sizes are unknown, PostgreSQL has never stored the texts of the row.
  request_bytes: row.request_bytes ?? 0,
  response_bytes: row.response_bytes ?? 0,
  is_cut: row.body_object === null ? null : row.is_cut,
});
