import { randomBytes } from 'node:crypto';
import { parseDomain, type SignInOptions, type StartedSignIn, signInCallbackPath } from '@sluice/contract';
import type { AddressThrottle } from '#console/auth/attempt-throttle.ts';
import { findPasskeySite } from '#console/second-factor/verify-passkey.ts';
import { readSignInPolicy } from '#console/sign-in-policy/policy.ts';
import type { SystemDatabase } from '#db/system.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { RequestContext } from '#http/console-route.ts';
import type { OpenIdClient, OpenIdClientSettings, SignInProof } from '#openid/openid-client.ts';
import type { Clock } from '#platform/clock.ts';
import type { Keyring } from '#platform/keyring.ts';
import { clientSecretPlace, openSecret, SealBrokenError } from '#platform/seal-secret.ts';
import { explainFailure } from './explain-failure.ts';
import {
  findDomainOwner,
  findOnlyTenant,
  findProvider,
  findTenantBySlug,
  insertAttempt,
  type ProviderRow,
  selectOffered,
} from './store.ts';

export interface SignInsDeps {
  readonly database: SystemDatabase;
  readonly keyring: Pick<Keyring, 'hashLinkToken' | 'sealingKey' | 'sessionKey'>;
  readonly openid: OpenIdClient;
  readonly clock: Clock;
  readonly publicUrl: string;
}

/** The tenant is named in the sign-in link, owns the email's domain, or is the only tenant. */
export async function getSignInOptions(
  { database, publicUrl }: Pick<SignInsDeps, 'database' | 'publicUrl'>,
  { email, tenant: slug }: { readonly email?: string | undefined; readonly tenant?: string | undefined },
): Promise<SignInOptions> {
  const domain = email === undefined ? null : parseDomain(email.slice(email.lastIndexOf('@') + 1));
  const tenantId =
    slug !== undefined
      ? await findTenantBySlug(database, slug)
      : ((domain !== null ? await findDomainOwner(database, domain) : null) ??
        (await findOnlyTenant(database)));
  const providers = await selectOffered(database, { tenantId, domain });
  const policy = tenantId === null ? null : await readSignInPolicy(database, tenantId);
  return {
    providers: providers.map(toOffer),
    local_passwords: policy?.local_passwords ?? 'allowed',
    passkey_origin: findPasskeySite(publicUrl)?.origin ?? null,
  };
}

const toOffer = ({ id, name }: { readonly id: number; readonly name: string }) => ({
  id,
  name,
  kind: 'oidc' as const,
  start_path: `/api/v1/auth/oidc/${id}/start`,
});

/** Each attempt counts against the IP address until its sign-in succeeds. */
export async function startSignIn(
  deps: SignInsDeps,
  throttle: AddressThrottle,
  ctx: RequestContext,
  providerId: number,
): Promise<StartedSignIn> {
  await throttle.count(ctx.address);
  const provider = await findProvider(deps.database, providerId);
  if (!provider?.isEnabled) throw notFound('Identity provider');
  return startAttempt(deps, provider, null);
}

export async function startTest(
  deps: SignInsDeps,
  { tenantId, userId }: { readonly tenantId: number; readonly userId: number },
  providerId: number,
): Promise<StartedSignIn> {
  const provider = await findProvider(deps.database, providerId);
  if (provider?.tenantId !== tenantId) throw notFound('Identity provider');
  return startAttempt(deps, provider, userId);
}

/** Time limit for the sign-in at the provider, in milliseconds. */
export const attemptMs = 10 * 60_000;

async function startAttempt(
  deps: SignInsDeps,
  provider: ProviderRow,
  testedBy: number | null,
): Promise<StartedSignIn> {
  const { database, keyring, openid, clock, publicUrl } = deps;
  const secret = randomBytes(32).toString('base64url');
  const url = await explainFailure(provider.name, () =>
    openid.createAuthorizationUrl(toClientSettings(deps, provider), {
      ...deriveProof(keyring, secret),
      redirectUri: redirectUriOf(publicUrl, provider),
      scopes: provider.scopes,
      prompt: provider.prompt,
    }),
  );
  const isStored = await insertAttempt(database, {
    secretHash: keyring.hashLinkToken(secret),
    identityProviderId: provider.id,
    testedBy,
    expiresAt: new Date(clock() + attemptMs),
  });
  if (!isStored)
    throw new ConsoleError(503, 'Too many sign-ins have been started. Please try again later.', 60);
  return { authorization_url: url.href, secret };
}

/**
 * Derives the values of a sign-in from a secret that only the browser has. A response for another browser fails, and
 * the database contains no data that could complete a sign-in.
 */
export function deriveProof({ hashLinkToken }: Pick<Keyring, 'hashLinkToken'>, secret: string): SignInProof {
  const derive = (purpose: string) => hashLinkToken(`sign-in ${purpose} ${secret}`).toString('base64url');
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}

export const redirectUriOf = (
  publicUrl: string,
  provider: Pick<ProviderRow, 'id' | 'tenantId' | 'callbackKey'>,
) => `${publicUrl.replace(/\/$/, '')}${signInCallbackPath(callbackOf(provider))}`;

export const callbackOf = ({
  id,
  tenantId,
  callbackKey,
}: Pick<ProviderRow, 'id' | 'tenantId' | 'callbackKey'>) =>
  callbackKey === null ? String(id) : `${tenantId}-${callbackKey}`;

/**
 * Returns a provider's settings with the decrypted client secret.
 * @throws ConsoleError 409 if the client secret was encrypted with another master key
 */
export function toClientSettings(
  { keyring: { sealingKey } }: { readonly keyring: Pick<Keyring, 'sealingKey'> },
  { tenantId, id, issuer, clientId, sealedClientSecret }: ProviderRow,
): OpenIdClientSettings {
  try {
    const clientSecret =
      sealedClientSecret && openSecret(sealingKey, clientSecretPlace(tenantId, id), sealedClientSecret);
    return { issuer, clientId, clientSecret };
  } catch (error) {
    if (!(error instanceof SealBrokenError)) throw error;
    throw new ConsoleError(
      409,
      'The client secret cannot be read with the master key of this server. An administrator must enter it again.',
    );
  }
}
