import type { IncomingMessage } from 'node:http';
import { GatewayError } from '#errors/gateway-error.ts';
import type { BodyHold } from './body-hold.ts';

/** Maximum size of a body kept as chunks. Larger bodies are written directly to their final buffer as they arrive. */
const singleChunkBytes = 64 * 1024;

/**
 * Reads a JSON body of at most `limitBytes`. A declared length counts against the budget from the start.
 * @throws GatewayError body_too_large, body_budget_exceeded (both before the rest is read), or unsupported_media_type
 * for a compressed body and for content types other than JSON
 */
export function readBody(request: IncomingMessage, limitBytes: number, hold: BodyHold): Promise<Buffer> {
  requireJson(request);
  const declaredBytes = Number(request.headers['content-length'] ?? 0);
  if (declaredBytes > limitBytes) throw bodyTooLargeError(limitBytes);
  hold.growTo(declaredBytes);
  let body = declaredBytes > singleChunkBytes ? new SizedBody(declaredBytes) : new ChunkedBody();
  return new Promise((resolve, reject) => {
    let sizeBytes = 0;
    const take = (chunk: Buffer) => {
      sizeBytes += chunk.length;
      try {
        if (sizeBytes > limitBytes) throw bodyTooLargeError(limitBytes);
        hold.growTo(sizeBytes);
      } catch (error) {
        request.off('data', take).pause();
        // Frees the chunks, which no longer count against the budget while the rest of the body is discarded.
        body = new ChunkedBody();
        reject(error);
        return;
      }
      body.add(chunk);
    };
    request.on('data', take);
    request.on('end', () => resolve(body.join()));
    request.on('error', (error) =>
      reject(new GatewayError('invalid_request', 'The request body is incomplete.', { cause: error })),
    );
  });
}

function requireJson({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new GatewayError(
      'unsupported_media_type',
      `The body is compressed (${encoding}); send it uncompressed.`,
    );
  }
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === '' || type === 'application/json') return;
  throw new GatewayError(
    'unsupported_media_type',
    `The content type ${type} is not supported. Send JSON with the header "content-type: application/json".`,
  );
}

class ChunkedBody {
  #chunks: Buffer[] = [];

  add(chunk: Buffer): void {
    // Most bodies are one chunk, and `push` to an empty array reserves room for 17.
    if (this.#chunks.length === 0) this.#chunks = [chunk];
    else this.#chunks.push(chunk);
  }

  join(): Buffer {
    const [first] = this.#chunks;
    return this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks);
  }
}

class SizedBody {
  readonly #bytes: Buffer;
  #end = 0;

  constructor(sizeBytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(sizeBytes);
  }

  add(chunk: Buffer): void {
    this.#end += chunk.copy(this.#bytes, this.#end);
  }

  join(): Buffer {
    return this.#bytes.subarray(0, this.#end);
  }
}

function bodyTooLargeError(limitBytes: number): GatewayError {
  return new GatewayError(
    'body_too_large',
    `The body is larger than the limit of ${limitBytes} bytes. Send a smaller body.`,
  );
}
