import type { FastifyReply } from 'fastify';
import { ConsoleError } from '#errors/console-error.ts';
import type { Logger } from '#platform/logger.ts';

/** Any thrown value as `{detail}`; what is not ours to tell becomes a 500 without particulars. */
export function answerConsoleError(
  error: unknown,
  requestId: string,
  reply: FastifyReply,
  log: Logger,
): FastifyReply {
  const refusal = toConsoleError(error);
  if (refusal.status >= 500) log.error({ requestId, error }, 'a console request failed');
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds));
  return reply.status(refusal.status).send({ detail: refusal.detail });
}

function toConsoleError(error: unknown): ConsoleError {
  if (error instanceof ConsoleError) return error;
  if (isDatabaseAway(error))
    return new ConsoleError(503, 'The database cannot be reached at the moment. Please retry.', 1);
  const status = statusOfFramework(error);
  if (status === 413) return new ConsoleError(413, 'The body is too large.');
  if (status === 415) return new ConsoleError(415, 'The content type is not supported here.');
  if (status !== null && status < 500)
    return new ConsoleError(status, 'The request cannot be read: its body is not valid.');
  return new ConsoleError(500, 'Something went wrong. The request id helps to find it.');
}

function statusOfFramework(error: unknown): number | null {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : null;
}

const awayCodes = /^(ECONNREFUSED|ECONNRESET|ENOENT|ETIMEDOUT|EPIPE|57P0[123]|08\d{3}|53300)$/;
const awayMessages = /timeout exceeded when trying to connect|Connection terminated/;

function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return awayCodes.test(code) || awayMessages.test(error.message) || isDatabaseAway(error.cause);
}
