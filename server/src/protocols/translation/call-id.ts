import { hash } from 'node:crypto';

/**
 * Letters and digits that follow from `seed` alone, so that an id is the same in every turn and on every node;
 * at most 30 of them.
 */
export function hashToAlphanumerics(seed: string, length: number): string {
  const digest = hash('sha256', seed, 'base64');
  return digest.replaceAll(/[+/=]/g, '').slice(0, length);
}

/** An id for a call that its provider gave none; `seed` tells it from all other calls of the conversation. */
export function makeCallId(seed: string): string {
  return `call_${hashToAlphanumerics(seed, 24)}`;
}
