import { hash } from 'node:crypto';

/**
 * Derives at most 30 letters and digits from `seed` alone, so that an id is the same in every turn and on every node.
 */
export function hashToAlphanumerics(seed: string, length: number): string {
  const digest = hash('sha256', seed, 'base64');
  return digest.replaceAll(/[+/=]/g, '').slice(0, length);
}

/** Creates an id for a call without one; `seed` distinguishes it from the other calls of the conversation. */
export function makeCallId(seed: string): string {
  return `call_${hashToAlphanumerics(seed, 24)}`;
}
