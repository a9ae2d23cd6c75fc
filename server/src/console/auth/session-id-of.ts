import type { Principal } from '#domain/principal.ts';

/** Returns the id of the caller's session; the console does not accept API keys. */
export function sessionIdOf({ credential }: Principal): string {
  if (credential.kind !== 'session') throw new Error('a key has come as far as the console');
  return credential.sessionId;
}
