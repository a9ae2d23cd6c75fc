import type pg from 'pg';
import type { Logger } from '#platform/logger.ts';
import type { RequestRecord } from './request-record.ts';

/** Writes a batch of ended requests to the database; writing one twice changes nothing. Rejects when the database is away. */
export type ShipRequests = (records: readonly RequestRecord[]) => Promise<void>;

/**
 * One transaction per batch: log rows, their bodies, and when each key was last used. Should the database refuse the
 * content of a row, the batch is halved until that row stands alone; it is then kept without what may be at fault,
 * and should even that be refused, told to the operator and left out, for all others wait behind it.
 */
export function createShipRequests(pool: pg.Pool, log: Logger): ShipRequests {
  const ship: ShipRequests = async (records) => {
    try {
      await write(pool, records);
    } catch (error) {
      if (!isContentError(error)) throw error;
      const [only, ...others] = records;
      if (only && others.length === 0) return shipBare(pool, only, log, error);
      const middle = Math.ceil(records.length / 2);
      await ship(records.slice(0, middle));
      await ship(records.slice(middle));
    }
  };
  return ship;
}

async function shipBare(pool: pg.Pool, record: RequestRecord, log: Logger, error: unknown): Promise<void> {
  const requestId = record.id;
  log.error({ requestId, error }, 'the database refused a request row; it is kept without its texts');
  try {
    await write(pool, [{ ...record, ...bareFields }]);
  } catch (cause) {
    if (!isContentError(cause)) throw cause;
    log.error({ requestId, error: cause }, 'the database refused a request row for good; it is lost');
  }
}

/** What a caller or a provider has a say in, emptied. */
const bareFields = {
  clientRequestId: null,
  taskId: null,
  modelRequested: null,
  model: null,
  errorMessage: null,
  usage: null,
  usageSource: 'none',
  prompt: null,
  response: null,
  requestBody: null,
} satisfies Partial<RequestRecord>;

async function write(pool: pg.Pool, records: readonly RequestRecord[]): Promise<void> {
  const rows = JSON.stringify(records.map(toRow));
  const client = await pool.connect();
  // The query that fails tells of it too; but for a listener, a connection that breaks would end the process.
  client.on('error', ignore);
  try {
    await client.query('BEGIN');
    await client.query(insertLogs, [rows]);
    await client.query(insertBodies, [rows]);
    await client.query(touchKeys, [rows]);
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    await client.query('ROLLBACK').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    );
    throw error;
  } finally {
    client.off('error', ignore);
  }
}

const ignore = () => undefined;

/** SQLSTATE classes 22 (data) and 23 (constraints): the rows' fault, which waiting does not mend. */
function isContentError(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]/.test(error.code)
  );
}

const milliseconds = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 1000) / 1000;

function toRow({ usage, ...record }: RequestRecord): Record<string, unknown> {
  return {
    id: record.id,
    tenant_id: record.tenantId,
    user_id: record.userId,
    api_key_id: record.apiKeyId,
    task_id: record.taskId,
    llm_provider_id: record.llmProviderId,
    provider_key: record.providerKey,
    provider_instance_name: record.providerInstanceName,
    protocol: record.protocol,
    operation: record.operation,
    model_requested: record.modelRequested,
    model: record.model ?? record.modelRequested,
    status: record.status,
    http_status: record.httpStatus,
    error_code: record.errorCode,
    error_message: record.errorMessage,
    is_stream: record.isStream,
    attempts: record.attempts,
    repeats: record.repeats,
    received_at: new Date(record.receivedAtMs).toISOString(),
    first_byte_ms: milliseconds(record.firstByteMs),
    response_time_ms: milliseconds(record.responseTimeMs),
    prompt_tokens: usage ? usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens : 0,
    cache_read_tokens: usage?.cacheReadTokens ?? 0,
    cache_write_tokens: usage?.cacheWriteTokens ?? 0,
    completion_tokens: usage?.outputTokens ?? 0,
    reasoning_tokens: usage?.reasoningTokens ?? 0,
    usage_source: record.usageSource,
    client_request_id: record.clientRequestId,
    prompt: record.prompt,
    response: record.response,
    request_body: record.requestBody,
    request_bytes: record.requestBytes,
    request_sha256: record.requestSha256 && `\\x${record.requestSha256}`,
    response_bytes: record.responseBytes,
  };
}

const logColumns = `id, tenant_id, user_id, api_key_id, task_id, llm_provider_id, provider_key, provider_instance_name, protocol,
  operation, model_requested, model, status, http_status, error_code, error_message, is_stream, attempts, repeats, received_at,
  first_byte_ms, response_time_ms, prompt_tokens, cache_read_tokens, cache_write_tokens, completion_tokens, reasoning_tokens,
  usage_source, client_request_id`;

const insertLogs = `INSERT INTO request_logs (${logColumns})
  SELECT ${logColumns} FROM json_populate_recordset(NULL::request_logs, $1) ON CONFLICT (id) DO NOTHING`;

const bodyColumns =
  'id, tenant_id, prompt, response, request_body, request_bytes, request_sha256, response_bytes';

const insertBodies = `INSERT INTO request_log_bodies (${bodyColumns})
  SELECT ${bodyColumns} FROM json_populate_recordset(NULL::request_log_bodies, $1) ON CONFLICT (id) DO NOTHING`;

const touchKeys = `UPDATE api_keys SET last_used_at = used.at
  FROM (SELECT api_key_id, max(received_at) AS at FROM json_populate_recordset(NULL::request_logs, $1)
        WHERE api_key_id IS NOT NULL GROUP BY api_key_id) used
  WHERE api_keys.id = used.api_key_id AND (last_used_at IS NULL OR last_used_at < used.at)`;
