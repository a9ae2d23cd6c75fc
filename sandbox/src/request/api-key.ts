import type { Call } from '../http/vendor.ts';
import { refuse } from './problem.ts';

export function bearerKey({ request }: Call): string | undefined {
  return /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** Accepts every key except keys that start with `sk-wrong`. Throws `RequestRefused` for a wrong or missing key. */
export function checkKey(key: string | undefined, place: string): void {
  if (!key) throw refuse('key_missing', `No API key found in ${place}.`);
  if (key.startsWith('sk-wrong')) throw refuse('key_wrong', 'Incorrect API key provided.');
}
