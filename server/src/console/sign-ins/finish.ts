import type { redeemSignInBody, redeemTestBody, session } from '@sluice/contract';
import type { z } from 'zod';
import { holdLock } from '#console/advisory-lock.ts';
import type { AddressThrottle } from '#console/auth/attempt-throttle.ts';
import { openSession } from '#console/auth/open-session.ts';
import type { Actor } from '#db/actor.ts';
import { attributeTo, changeAs, type SystemDatabase } from '#db/system.ts';
import { mapClaims, readMappedGroups } from '#domain/identity-mapping.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { RequestContext } from '#http/console-route.ts';
import type { Mailbox } from '#mail/mailbox.ts';
import type { Claims, RedeemedSignIn } from '#openid/openid-client.ts';
import { applyMapping } from './apply-mapping.ts';
import { dropSecretCookie, readSecretCookie } from './by-redirect.ts';
import { explainFailure } from './explain-failure.ts';
import { findAccount, readEmail } from './find-account.ts';
import { callbackOf, deriveProof, redirectUriOf, type SignInsDeps, toClientSettings } from './start.ts';
import { type AccountRow, findProvider, lockAccount, type ProviderRow, takeAttempt } from './store.ts';

export interface FinishDeps extends SignInsDeps {
  readonly mailbox: Mailbox;
}

export type RedeemBody = z.output<typeof redeemTestBody>;

/** Succeeds once, and only in the browser that started the sign-in. */
export async function finishSignIn(
  deps: FinishDeps,
  throttle: AddressThrottle,
  ctx: RequestContext,
  body: z.output<typeof redeemSignInBody>,
): Promise<z.infer<typeof session>> {
  const kept = readSecretCookie(deps, ctx);
  const secret = chooseSecret(deps, body, kept);
  if (secret === kept) dropSecretCookie(deps, ctx);
  const { provider, redeemed } = await redeemAttempt(
    deps,
    { ...body, secret },
    (one) => one.testedBy === null,
  );
  const { claims, idToken, providerSession } = redeemed;
  const outcome = await changeAs(deps.database, ctx.actor, async (tx) => {
    const arrived = await arrive(tx, deps.mailbox, { provider, claims, actor: ctx.actor });
    if ('refusal' in arrived) return arrived;
    const { account, userIdentityId } = arrived;
    const origin = { userIdentityId, providerSession, idToken };
    return { token: await openSession(deps, tx, ctx, account, origin) };
  });
  // Throw after the transaction, so that an identity awaiting confirmation is stored.
  if ('refusal' in outcome) throw new ConsoleError(403, outcome.refusal);
  await throttle.takeBack(ctx.address);
  return { access_token: outcome.token, token_type: 'bearer' };
}

/**
 * Returns the secret of the sign-in that the response belongs to, either from the tab or from the browser's cookie.
 * @throws ConsoleError 400 if the browser has not started a sign-in
 */
function chooseSecret(
  { keyring }: Pick<SignInsDeps, 'keyring'>,
  { secret, response }: z.output<typeof redeemSignInBody>,
  kept: string | null,
): string {
  const known = [secret, kept].flatMap((one) => one ?? []);
  const state = new URLSearchParams(response).get('state');
  const chosen = known.find((one) => deriveProof(keyring, one).state === state) ?? known[0];
  if (chosen !== undefined) return chosen;
  throw new ConsoleError(400, 'This sign-in was started in another browser or tab. Start it again.');
}

interface Attempt {
  readonly testedBy: number | null;
}

/**
 * Uses up a sign-in attempt and verifies the provider's response.
 * @throws ConsoleError 400 if there is no such attempt, or if the response arrived at another provider's redirect
 * URI, so that a code is only sent to the provider that issued it; 400, 403 or 502 if the provider fails
 */
export async function redeemAttempt(
  deps: SignInsDeps,
  { secret, response, callback }: RedeemBody,
  isWanted: (attempt: Attempt, provider: ProviderRow) => boolean,
): Promise<{ provider: ProviderRow; redeemed: RedeemedSignIn }> {
  const { database, keyring, openid, publicUrl } = deps;
  const attempt = await takeAttempt(database, keyring.hashLinkToken(secret));
  const provider = attempt && (await findProvider(database, attempt.identityProviderId));
  if (!provider || !isWanted(attempt, provider) || !(provider.isEnabled || attempt.testedBy !== null)) {
    throw new ConsoleError(400, 'This sign-in has expired or was already completed. Start it again.');
  }
  const redirectUri = redirectUriOf(publicUrl, provider);
  if (callback !== callbackOf(provider)) {
    throw new ConsoleError(
      400,
      `The response arrived at a redirect URI that does not belong to ${provider.name}. Start the sign-in again.`,
    );
  }
  const redeemed = await explainFailure(provider.name, () =>
    openid.redeem(toClientSettings(deps, provider), {
      ...deriveProof(keyring, secret),
      redirectUri,
      response,
      isIncomplete: (claims) => readEmail(claims) === null || readMappedGroups(provider, claims).length === 0,
    }),
  );
  return { provider, redeemed };
}

type Arrived =
  | { readonly account: AccountRow; readonly userIdentityId: number; readonly how: string }
  | { readonly refusal: string };

/** Sign-ins of the same user at a provider are serialized. */
export async function arrive(
  tx: SystemDatabase,
  mailbox: Mailbox,
  { provider, claims, actor }: { provider: ProviderRow; claims: Claims; actor: Actor },
): Promise<Arrived> {
  await holdLock(tx, 'signIns', provider.id);
  const { role, teamIds } = mapClaims(provider, claims);
  if (role === null) return { refusal: 'None of your groups may sign in here. Ask your administrator.' };
  const found = await findAccount(tx, mailbox, { provider, claims, role });
  if ('refusal' in found) return found;
  const { account, identity, how } = found;
  if (!account.isActive) return { refusal: 'This account is inactive. Ask your administrator.' };
  await attributeTo(tx, { ...actor, userId: account.id });
  const kept = await applyMapping(tx, account, identity, { role, teamIds }).catch(asSentence);
  const current = await lockAccount(tx, { id: account.id });
  if (!current) throw new Error('the account of a sign-in does not exist');
  return { account: current, userIdentityId: identity.id, how: kept ? `${how} ${keepsRole}` : how };
}

const keepsRole = 'The role admin is kept, because this is a break-glass account or the last administrator.';

/** Joins field errors into one sentence, because the sign-in page lacks the fields of the user form. */
export function asSentence(error: unknown): never {
  if (!(error instanceof ConsoleError) || error.status !== 422) throw error;
  throw new ConsoleError(409, error.message);
}
