import type { IncomingMessage } from 'node:http';
import { GatewayError } from '#errors/gateway-error.ts';

/**
 * Reads a body of at most `limitBytes`.
 * @throws GatewayError body_too_large, before the rest is read; unsupported_media_type for a compressed body.
 */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new GatewayError(
      'unsupported_media_type',
      `The body is compressed (${encoding}); send it uncompressed.`,
    );
  }
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const take = (chunk: Buffer) => {
      sizeBytes += chunk.length;
      chunks.push(chunk);
      if (sizeBytes <= limitBytes) return;
      request.off('data', take).pause();
      reject(tooLarge(limitBytes));
    };
    request.on('data', take);
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', (error) =>
      reject(new GatewayError('invalid_request', 'The body did not arrive whole.', { cause: error })),
    );
  });
}

function tooLarge(limitBytes: number): GatewayError {
  return new GatewayError(
    'body_too_large',
    `The body is larger than ${limitBytes} bytes, the most this gate accepts.`,
  );
}
