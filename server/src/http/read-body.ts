import { isUtf8 } from 'node:buffer';
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ConsoleError } from '#errors/console-error.ts';

/** From here on the scope's routes take JSON bodies, and refuse every other content type. */
export function acceptJson(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => (body.length === 0 ? undefined : parseJson(body)),
  );
}

/** From here on the scope's routes take the bodies of HTML forms, and refuse every other content type. */
export async function acceptForm(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  await scope.register(formbody);
}

/** @throws ConsoleError 415 for a compressed body, whose true size nobody knows. */
export function refuseCompressed({ headers }: FastifyRequest): void {
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity') throw new ConsoleError(415, 'The body is compressed; send it uncompressed.');
}

function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new ConsoleError(400, 'The body is not valid UTF-8.');
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new ConsoleError(400, 'The body is not valid JSON.');
  }
}
