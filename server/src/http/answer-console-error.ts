import type { FastifyReply, FastifyRequest } from 'fastify';
import { classifyDatabaseFailure, type DatabaseFailure } from '#db/database-failure.ts';
import { explainRefusedWrite } from '#db/explain-refused-write.ts';
import { networkOf } from '#domain/caller-network.ts';
import { BodyStoreError } from '#domain/request-log/log-store-error.ts';
import { CodedError, ConsoleError, databaseAway, UnreadyError } from '#errors/console-error.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import { foldsRepeats } from '#platform/fold-repeats.ts';
import type { Logger } from '#platform/logger.ts';
import type { RefusalPace } from '#platform/refusal-pace.ts';

export interface ErrorAnswerDeps {
  readonly refusalPace: RefusalPace;
  readonly log: Logger;
}

/** Error format of paths whose clients do not expect `{detail}`. */
export interface ErrorFormat {
  readonly mediaType: string;
  readonly convert: (refusal: ConsoleError) => ConsoleError;
  readonly describe: (refusal: ConsoleError) => object;
}

/** Unexpected errors become a 500 without details. */
export function answerConsoleError(
  error: unknown,
  requestId: string,
  reply: FastifyReply,
  { refusalPace, log }: ErrorAnswerDeps,
  format: ErrorFormat | null = null,
): FastifyReply {
  const found = toConsoleError(explainRefusedWrite(error));
  const refusal = format ? format.convert(found) : found;
  const isProbe = refusal instanceof UnreadyError;
  if (refusal.status >= 500 && !isProbe) log.error({ requestId, error }, 'a console request failed');
  if (refusals.has(refusal.status))
    log.info(formatRefusal(refusal.status, requestId, reply.request), refused);
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds));
  const { detail } = refusal;
  const fields = refusal instanceof CodedError ? refusal.fields : {};
  reply.status(refusal.status);
  if (!isProbe) {
    if (format) reply.type(format.mediaType);
    const body = format ? JSON.stringify(format.describe(refusal)) : { detail, ...fields };
    refusalPace.run(nameCaller(reply.request), () => reply.send(body));
    return reply;
  }
  const { failure, reason } = refusal;
  return reply.send({ detail, reason, ...(failure !== null && { failure }) });
}

const nameCaller = ({ ip, principal }: FastifyRequest) =>
  principal ? `user ${principal.userId}` : `network ${networkOf(ip)}`;

/** Statuses that can indicate an attack: failed authentication, missing permission or too many requests. */
const refusals = new Set([401, 403, 429]);
const refused = 'a console request was refused';

/** The log fields contain no client input, so the route is logged instead of the URL. */
function formatRefusal(
  status: number,
  requestId: string,
  { ip, method, principal, routeOptions }: FastifyRequest,
) {
  const userId = principal?.userId ?? null;
  const path = routeOptions.url ?? null;
  return { requestId, status, method, path, address: ip, userId, [foldsRepeats]: true };
}

function toConsoleError(error: unknown): ConsoleError {
  if (error instanceof ConsoleError) return error;
  // API keys of console routes are authenticated by the gateway.
  if (error instanceof GatewayError) return fromGatewayError(error);
  // Fastify sets `statusCode` on client errors, and on errors of connections that break while the body is read.
  const status = property(error, 'statusCode');
  if (typeof status === 'number' && status < 500) {
    const [ownStatus, detail] = frameworkRefusals[codeOf(error)] ?? [status, 'The request cannot be read.'];
    return new ConsoleError(ownStatus, detail);
  }
  if (error instanceof BodyStoreError) return new ConsoleError(503, error.message, 5);
  const failure = classifyDatabaseFailure(error);
  if (failure) return databaseRefusals[failure]();
  return new ConsoleError(500, 'Internal error. Give your administrator the request id.');
}

function fromGatewayError({ message, retryAfterMs, status }: GatewayError): ConsoleError {
  return new ConsoleError(
    status,
    message,
    retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1_000),
  );
}

const databaseRefusals: Readonly<Record<DatabaseFailure, () => ConsoleError>> = {
  share_full: () =>
    new ConsoleError(
      429,
      'Too many of your requests are waiting. Send fewer requests at the same time, then retry.',
      2,
    ),
  busy: () => new ConsoleError(503, 'The server has too many requests at the moment. Please retry.', 2),
  away: databaseAway,
  too_slow: () =>
    new ConsoleError(503, 'The database query took too long. Request less data, or retry later.', 5),
};

const frameworkRefusals: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  FST_ERR_BAD_URL: [400, 'The path of the URL is not valid percent-encoded UTF-8. Write "%" as "%25".'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'The body is too large.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'The request body is incomplete.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    415,
    'The content type is not supported. Send JSON with the header "content-type: application/json".',
  ],
  FST_ERR_MAX_PARAM_LENGTH: [404, 'Not found'],
  FST_STATIC_FORBIDDEN_PATH: [404, 'Not found'],
};

function codeOf(error: unknown): string {
  return String(property(error, 'code'));
}

function property(error: unknown, name: 'code' | 'statusCode'): unknown {
  return error instanceof Error ? Reflect.get(error, name) : undefined;
}
