import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';

type Coding = 'br' | 'gzip' | 'identity';

const compressors: Readonly<Record<Exclude<Coding, 'identity'>, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};
/** Higher qualities take seconds of CPU time for a few percent. */
const brotliQuality = 6;

/**
 * The response is the same for every client: serialized once per process, and compressed once per coding outside the
 * event loop.
 */
export class FixedAnswer {
  readonly #bytes: Buffer;
  readonly #digest: string;
  readonly #compressed = new Map<Coding, Promise<Buffer>>();

  constructor(value: object) {
    this.#bytes = Buffer.from(JSON.stringify(value));
    this.#digest = createHash('sha256').update(this.#bytes).digest('base64url').slice(0, 22);
  }

  bytesAs(coding: Coding): Promise<Buffer> {
    if (coding === 'identity') return Promise.resolve(this.#bytes);
    return this.#compressed.getOrInsertComputed(coding, () => compressors[coding](this.#bytes));
  }

  /** Each coding has a different ETag, since the bytes differ (RFC 9110, section 8.8.3). */
  etagAs(coding: Coding): string {
    return `"${this.#digest}-${coding}"`;
  }
}

/** Uses the best coding for the client. Sends a 304 if the client has a current copy. */
export async function sendFixedAnswer(
  reply: FastifyReply,
  headers: IncomingHttpHeaders,
  answer: FixedAnswer,
): Promise<FastifyReply> {
  const coding = chooseCoding(headers['accept-encoding']);
  const etag = answer.etagAs(coding);
  reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'public, no-cache' });
  if (isHeld(headers['if-none-match'], etag)) return reply.status(304).send();
  const bytes = await answer.bytesAs(coding);
  if (coding !== 'identity') reply.header('content-encoding', coding);
  return reply.header('content-type', 'application/json; charset=utf-8').send(bytes);
}

/** Uses the weak comparison that `If-None-Match` requires (RFC 9110, section 13.1.2). */
function isHeld(ifNoneMatch: string | undefined, etag: string): boolean {
  const held = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return held.includes(etag) || held.includes('*');
}

/**
 * Returns the smallest coding among those with the highest quality; `identity` unless the caller accepts another
 * coding.
 */
export function chooseCoding(acceptEncoding: string | string[] | undefined): Coding {
  const qualities = new Map<string, number>();
  for (const item of String(acceptEncoding ?? '').split(',')) {
    const [name = '', ...parameters] = item.toLowerCase().split(';');
    const weight = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find(Boolean);
    qualities.set(name.trim(), weight === undefined ? 1 : Number(weight));
  }
  const qualityOf = (coding: Coding) => qualities.get(coding) ?? qualities.get('*') ?? 0;
  const codings: readonly Coding[] = ['br', 'gzip'];
  const best = codings.reduce<Coding>(
    (chosen, coding) => (qualityOf(coding) > qualityOf(chosen) ? coding : chosen),
    'br',
  );
  const isWanted = qualityOf(best) > 0 && qualityOf(best) >= (qualities.get('identity') ?? 0);
  return isWanted ? best : 'identity';
}
