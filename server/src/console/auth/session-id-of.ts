import type { Principal } from '#domain/principal.ts';

/** The session that asks; the console lets nobody in by a key. */
export function sessionIdOf({ credential }: Principal): string {
  if (credential.kind !== 'session') throw new Error('a key has come as far as the console');
  return credential.sessionId;
}
