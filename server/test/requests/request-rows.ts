import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { decompressText } from '#domain/compressed-text.ts';

export interface RequestRow {
  id: string;
  tenant_id: number;
  user_id: number;
  api_key_id: number | null;
  task_id: number | null;
  team_id: number | null;
  llm_provider_id: number | null;
  provider_key: string | null;
  provider_instance_name: string | null;
  protocol: string;
  operation: string;
  model_requested: string | null;
  model: string | null;
  status: 'success' | 'error' | 'client_closed' | 'refused';
  http_status: number;
  error_code: string | null;
  error_message: string | null;
  is_stream: boolean;
  attempts: number;
  repeats: number;
  first_byte_ms: number | null;
  response_time_ms: number;
  prompt_tokens: number;
  cache_read_tokens: number;
  completion_tokens: number;
  reasoning_tokens: number;
  usage_source: 'provider' | 'partial' | 'estimated' | 'capped' | 'none';
  intent_classification: string | null;
  confidence_score: number | null;
  client_request_id: string | null;
  prompt: string | null;
  response: string | null;
  /** Decoded body, regardless of its storage format. */
  request_body: string | null;
  request_bytes: number;
  request_sha256: Buffer | null;
  response_bytes: number;
}

export interface RowReader {
  /** Resolves once the row has been shipped. */
  waitForRow(id: string): Promise<RequestRow>;
  /** Resolves with the row that has this `x-request-id`, for callers that never receive the gateway's request id. */
  waitForRowOf(clientRequestId: string): Promise<RequestRow>;
  /** Returns the oldest rows first. */
  readRows(): Promise<RequestRow[]>;
}

const select = `SELECT l.*, b.prompt, b.response, b.request_body_zstd, b.request_bytes, b.request_sha256, b.response_bytes
  FROM request_logs l JOIN request_log_bodies b USING (id)`;
const patienceMs = 20_000;
const retryMs = 25;

interface StoredRow extends Omit<RequestRow, 'request_body'> {
  request_body_zstd: Buffer | null;
}

const readRow = ({ request_body_zstd: body, ...row }: StoredRow): RequestRow => ({
  ...row,
  request_body: body && decompressText(body, row.prompt),
});

export function createRowReader(pool: pg.Pool): RowReader {
  const waitFor = async (column: string, value: string) => {
    const deadlineMs = performance.now() + patienceMs;
    while (performance.now() < deadlineMs) {
      const { rows } = await pool.query<StoredRow>(`${select} WHERE ${column} = $1`, [value]);
      if (rows[0]) return readRow(rows[0]);
      await pause(retryMs);
    }
    throw new Error(`no row with ${column} = ${value} was written within ${patienceMs} ms`);
  };
  return {
    waitForRow: (id) => waitFor('l.id', id),
    waitForRowOf: (clientRequestId) => waitFor('l.client_request_id', clientRequestId),
    readRows: async () => (await pool.query<StoredRow>(`${select} ORDER BY l.id`)).rows.map(readRow),
  };
}
