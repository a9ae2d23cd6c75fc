import type { IncomingMessage } from 'node:http';

const bytesMax = 32 * 1024 * 1024;

/** Returns the body as text, or null if it exceeds 32 MiB; rejects if the client disconnects first. */
export function readBody(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= bytesMax) chunks.push(chunk);
      else resolve(null);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
    request.on('error', reject);
  });
}
