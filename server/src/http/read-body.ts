import { isUtf8 } from 'node:buffer';
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ConsoleError } from '#errors/console-error.ts';
import { PacedWork, type Turns } from '#platform/paced-work.ts';
import { type JsonLimits, scanJson } from '#protocols/json/json-scan.ts';
import type { Steps } from '#protocols/steps.ts';

/** From here on the scope's routes take JSON bodies, and refuse every other content type. */
export function acceptJson(scope: FastifyInstance, turns: Turns): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    async ({ ip, principal }: FastifyRequest, body: Buffer) => {
      if (body.length === 0) return undefined;
      const who = principal ? `user ${principal.userId}` : `address ${ip}`;
      return new PacedWork(turns, who).run(readJson(body));
    },
  );
}

/** From here on the scope's routes take the bodies of HTML forms, and refuse every other content type. */
export async function acceptForm(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  await scope.register(formbody);
}

/** From here on the scope's routes take their JSON bodies as they come, because a signature is over the bytes. */
export function acceptBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => body,
  );
}

/** @throws ConsoleError 415 for a compressed body, whose true size nobody knows. */
export function refuseCompressed({ headers }: FastifyRequest): void {
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity') throw new ConsoleError(415, 'The body is compressed; send it uncompressed.');
}

/** The largest body of the console, a list of grants, holds less than half of it. */
const limits: JsonLimits = {
  depth: 32,
  fields: 1_000,
  containers: 10_000,
  members: 20_000,
  values: 50_000,
  numberBytes: 100,
};

function* readJson(body: Buffer): Steps<unknown> {
  if (!isUtf8(body)) throw new ConsoleError(400, 'The body is not valid UTF-8.');
  const scan = yield* scanJson(body, limits);
  if (!scan.ok) throw tooMuch(scan.excess);
  // For the parser, and for the row's schema after it.
  yield scan.counts.values;
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new ConsoleError(400, 'The body is not valid JSON.');
  }
}

function tooMuch(excess: string): ConsoleError {
  return new ConsoleError(422, [{ loc: ['body'], msg: `The body ${excess}`, type: 'too_much' }]);
}
