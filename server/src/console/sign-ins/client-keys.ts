import type { ClientKey } from '@sluice/contract';
import { notFound } from '#errors/console-error.ts';
import { publishClientKey } from '#openid/client-authentication.ts';
import { type SignInsDeps, toClientSettings } from './start.ts';
import { findProvider } from './store.ts';

/** Returns the public key for `private_key_jwt`, or an empty list for other client authentication methods. */
export async function getClientKeys(deps: SignInsDeps, providerId: number): Promise<{ keys: ClientKey[] }> {
  const provider = await findProvider(deps.database, providerId);
  if (!provider) throw notFound('Identity provider');
  const key = await publishClientKey(toClientSettings(deps, provider).clientSecret);
  return { keys: key === null ? [] : [key] };
}
