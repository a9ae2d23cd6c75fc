import type { IncomingMessage } from 'node:http';
import type { Call } from '../http/vendor.ts';
import { isObject } from './checks.ts';
import { invalidRequest, refuse } from './problem.ts';

const bytesMax = 32 * 1024 * 1024;

/** Returns the body as text, or `null` if the body exceeds 32 MiB. Rejects if the client disconnects before the end. */
function readBody(request: IncomingMessage): Promise<string | null> {
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

export interface JsonBody {
  text: string;
  body: Record<string, unknown>;
}

/** Returns the body of a request as a JSON object. Throws `RequestRefused` for any other body. */
export async function readJsonBody({ request }: Call): Promise<JsonBody> {
  const text = await readBody(request);
  if (text === null) throw refuse('too_large', 'The request body exceeds 32 MiB.');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalidRequest(null, null, 'The request body is not valid JSON.');
  }
  if (!isObject(body)) throw invalidRequest(null, null, 'The request body is not a JSON object.');
  return { text, body };
}
