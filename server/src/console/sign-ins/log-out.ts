import type { AddressThrottle } from '#console/auth/attempt-throttle.ts';
import { endOwnSession, sessionIdOf } from '#console/auth/own-sessions.ts';
import { changeAs } from '#db/system.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { RequestContext, SignedInContext } from '#http/console-route.ts';
import { OpenIdError } from '#openid/openid-error.ts';
import { idTokenPlace, openSecret, SealBrokenError } from '#platform/seal-secret.ts';
import { type SignInsDeps, toClientSettings } from './start.ts';
import { endProviderSessions, findProvider, findProviderSession } from './store.ts';

/**
 * Ends the caller's session. Returns the URL that ends the session at the identity provider, or `null` if the session
 * did not start there or the provider has no such URL.
 */
export async function logOut(
  deps: SignInsDeps,
  { principal, inTenant }: SignedInContext,
): Promise<{ logout_url: string | null }> {
  const sessionId = sessionIdOf(principal);
  const began = await findProviderSession(deps.database, sessionId);
  await inTenant((tx) => endOwnSession(tx, principal));
  const provider = began && (await findProvider(deps.database, began.identityProviderId));
  if (!provider) return { logout_url: null };
  try {
    const idToken = openIdToken(deps, began, sessionId);
    const returnTo = `${deps.publicUrl.replace(/\/$/, '')}/login`;
    const url = await deps.openid.createLogoutUrl(toClientSettings(deps, provider), { idToken, returnTo });
    return { logout_url: url?.href ?? null };
  } catch (error) {
    // The local session has ended even if the provider fails.
    if (error instanceof OpenIdError) return { logout_url: null };
    throw error;
  }
}

/**
 * Returns `null` if the session has no ID token or the master key was changed. The provider then asks the user to
 * confirm.
 */
function openIdToken(
  { keyring: { sealingKey } }: SignInsDeps,
  { tenantId, sealedIdToken }: { tenantId: number; sealedIdToken: Buffer | null },
  sessionId: string,
): string | null {
  try {
    return sealedIdToken && openSecret(sealingKey, idTokenPlace(tenantId, sessionId), sealedIdToken);
  } catch (error) {
    if (error instanceof SealBrokenError) return null;
    throw error;
  }
}

/** Rejects the logout token. The error does not name the provider, because the caller is unknown. */
function refuse(error: unknown): never {
  if (!(error instanceof OpenIdError)) throw error;
  throw new ConsoleError(
    error.kind === 'unreachable' ? 502 : 400,
    `The logout token is not valid: ${error.message}`,
  );
}

/** Tolerated difference between the clocks of this server and a provider, in milliseconds. */
const clockToleranceMs = 60_000;

/** Only invalid tokens count against the IP address. */
export async function receiveBackchannelLogout(
  deps: SignInsDeps,
  throttle: AddressThrottle,
  ctx: RequestContext,
  { id, token }: { readonly id: number; readonly token: string },
): Promise<Record<string, never>> {
  await throttle.count(ctx.address);
  const provider = await findProvider(deps.database, id);
  if (!provider) throw notFound('Identity provider');
  const notice = await deps.openid.verifyLogoutToken(toClientSettings(deps, provider), token).catch(refuse);
  await throttle.takeBack(ctx.address);
  const { subject, providerSession, issuedAtMs } = notice;
  await changeAs(deps.database, ctx.actor, (tx) =>
    endProviderSessions(tx, {
      identityProviderId: id,
      issuer: provider.issuer,
      subject,
      providerSession,
      before: new Date(issuedAtMs + clockToleranceMs),
    }),
  );
  return {};
}
