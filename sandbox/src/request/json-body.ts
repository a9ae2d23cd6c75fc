import type { Call } from '../http/vendor.ts';
import { isObject } from './checks.ts';
import { invalidRequest, refuse } from './problem.ts';
import { readBody } from './read-body.ts';

export interface JsonBody {
  text: string;
  body: Record<string, unknown>;
}

/** Returns the body of a request, which must be a JSON object; throws `RequestRefused`. */
export async function readJsonBody({ request }: Call): Promise<JsonBody> {
  const text = await readBody(request);
  if (text === null) throw refuse('too_large', 'The body is too large.');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalidRequest(null, null, 'The body of the request is not valid JSON.');
  }
  if (!isObject(body)) throw invalidRequest(null, null, 'The body of the request is not a JSON object.');
  return { text, body };
}
