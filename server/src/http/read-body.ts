import { isUtf8 } from 'node:buffer';
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ConsoleError } from '#errors/console-error.ts';
import { type JsonLimits, scanJson } from '#json/json-scan.ts';
import { PacedWork, type Turns } from '#platform/paced-work.ts';
import type { Steps } from '#platform/steps.ts';

/** Rejects every other content type. Defaults to the media type `application/json` and the console's limits. */
export function acceptJson(
  scope: FastifyInstance,
  turns: Turns,
  { mediaTypes = ['application/json'], limits = consoleLimits }: AcceptedJson = {},
): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<Buffer>(
    mediaTypes,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0) return undefined;
      return new PacedWork(turns, callerOf(request)).run(readJson(body, limits));
    },
  );
}

/** Identity providers serve many tenants from one address, so SCIM requests are scheduled by token. */
function callerOf({ ip, principal, scimClient }: FastifyRequest): string {
  if (principal) return `user ${principal.userId}`;
  return scimClient ? `scim:${scimClient.tokenId}` : `address ${ip}`;
}

interface AcceptedJson {
  readonly mediaTypes?: string[];
  readonly limits?: JsonLimits;
}

/** Accepts HTML forms and rejects every other content type. */
export async function acceptForm(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  await scope.register(formbody);
}

/** Keeps JSON bodies as raw bytes, since signatures cover the bytes. */
export function acceptBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => body,
  );
}

/**
 * Rejects compressed bodies, because their actual size is unknown.
 * @throws ConsoleError 415
 */
export function refuseCompressed({ headers }: FastifyRequest): void {
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity') throw new ConsoleError(415, 'The body is compressed; send it uncompressed.');
}

/** The console's largest body, a list of grants, uses less than half of these limits. */
const consoleLimits: JsonLimits = {
  depth: 32,
  fields: 1_000,
  containers: 10_000,
  members: 20_000,
  values: 50_000,
  numberBytes: 100,
};

function* readJson(body: Buffer, limits: JsonLimits): Steps<unknown> {
  if (!isUtf8(body)) throw new ConsoleError(400, 'The body is not valid UTF-8.');
  const scan = yield* scanJson(body, limits);
  if (!scan.ok) throw bodyTooLargeError(scan.excess);
  // Estimated duration of the next step: the parser and the row's schema.
  yield scan.counts.values;
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new ConsoleError(400, 'The body is not valid JSON.');
  }
}

function bodyTooLargeError(excess: string): ConsoleError {
  return new ConsoleError(422, [{ loc: ['body'], msg: `The body ${excess}`, type: 'too_much' }]);
}

const lengthMax = 255;

/**
 * Returns `undefined` if the header is absent.
 * @throws ConsoleError 422 if the header is empty, too long, unprintable or repeated.
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && header.length <= lengthMax && /^[!-~]+$/.test(header)) return header;
  const problem = `Idempotency-Key must have 1 to ${lengthMax} printable characters without spaces`;
  throw new ConsoleError(422, [{ loc: ['header', 'idempotency-key'], msg: problem, type: 'value_error' }]);
}
