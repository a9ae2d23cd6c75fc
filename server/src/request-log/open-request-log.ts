import { postgresRequestLog } from './postgres/postgres-request-log.ts';
import type { RequestLog } from './request-log.ts';

/** Opens the request log. */
export function openRequestLog(): RequestLog {
  return postgresRequestLog;
}
