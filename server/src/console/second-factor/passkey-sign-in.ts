import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { finishPasskeySignInBody, PasskeySignInStart, session } from '@sluice/contract';
import type { z } from 'zod';
import type { Throttle } from '#console/auth/attempt-throttle.ts';
import { undoOnRefusal } from '#console/auth/log-in.ts';
import { openSession } from '#console/auth/open-session.ts';
import { requireLocalSignIn } from '#console/sign-in-policy/policy.ts';
import {
  findPasskeyOwner,
  lockFactorOwner,
  lockPasskey,
  notePasskeyUse,
} from '#console/sign-in-tickets/factors-store.ts';
import { changeAs } from '#db/system.ts';
import { CodedError, ConsoleError } from '#errors/console-error.ts';
import type { RequestContext } from '#http/console-route.ts';
import { noSite } from './change-factors.ts';
import type { CompleteSignInDeps } from './complete-sign-in.ts';
import { findPasskeySite, passkeyHandleOf, verifyPasskey } from './verify-passkey.ts';

const lifetimeMs = 5 * 60_000;
const nonceBytes = 16;
const instantBytes = 8;

type Client = Pick<RequestContext, 'userAgent'>;

/**
 * Returns a challenge for any passkey of this site. The challenge contains its expiry and a keyed hash, so that
 * unauthenticated requests store nothing.
 * @throws ConsoleError 409 if the public URL does not support passkeys
 */
export function startPasskeySignIn(deps: CompleteSignInDeps, client: Client): PasskeySignInStart {
  const site = findPasskeySite(deps.publicUrl);
  if (!site) throw noSite();
  const expiresAt = new Date(deps.clock() + lifetimeMs);
  const head = Buffer.alloc(nonceBytes + instantBytes);
  randomBytes(nonceBytes).copy(head);
  head.writeBigUInt64BE(BigInt(expiresAt.getTime()), nonceBytes);
  const challenge = Buffer.concat([head, hashChallenge(deps, head, client)]).toString('base64url');
  return {
    challenge,
    expires_at: expiresAt.toISOString(),
    options: {
      challenge,
      rpId: site.domain,
      timeout: lifetimeMs,
      userVerification: 'required',
      allowCredentials: [],
    },
  };
}

/** Binds a challenge to the client that requested it. */
const hashChallenge = ({ keyring }: CompleteSignInDeps, head: Buffer, { userAgent }: Client) =>
  keyring.hashLinkToken(`passkey sign-in ${head.toString('hex')} ${userAgent}`);

/**
 * Marks a challenge as used. Returns `false` if the challenge is invalid or expired, or was already used on any node.
 */
async function takeChallenge(
  deps: CompleteSignInDeps,
  throttle: Throttle,
  client: Client,
  challenge: string,
): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url');
  const head = bytes.subarray(0, nonceBytes + instantBytes);
  const hash = hashChallenge(deps, head, client);
  if (bytes.length !== head.length + hash.length) return false;
  if (!timingSafeEqual(bytes.subarray(head.length), hash)) return false;
  const expiresAtMs = Number(head.readBigUInt64BE(nonceBytes));
  if (expiresAtMs <= deps.clock()) return false;
  return throttle.useOnce(`passkey-challenge:${head.toString('hex')}`, new Date(expiresAtMs));
}

/**
 * Opens a session using a passkey with user verification, which replaces the password and the second factor. Unknown
 * passkeys, inactive accounts and wrong signatures result in the same response.
 * @throws ConsoleError 403 if the tenant's policy requires an identity provider
 */
export async function finishPasskeySignIn(
  deps: CompleteSignInDeps,
  throttle: Throttle,
  ctx: RequestContext,
  { challenge, passkey: signature }: z.output<typeof finishPasskeySignInBody>,
): Promise<z.infer<typeof session>> {
  await throttle.countAddress(ctx.address);
  if (!(await takeChallenge(deps, throttle, ctx, challenge))) throw expired();
  const owner = await findPasskeyOwner(deps.database, signature.id, ctx.address);
  const tried = namePasskey(signature.id, owner?.isAddressKnown ? ctx.address : null);
  await undoOnRefusal(throttle.countAccount(tried), () => throttle.takeBackAddress(ctx.address));
  const site = findPasskeySite(deps.publicUrl);
  if (!site || !owner?.isActive || !isHandleOf(owner.userId, signature.response.userHandle))
    throw incorrect();
  const signIn = changeAs(deps.database, { ...ctx.actor, userId: owner.userId }, async (tx) => {
    await lockFactorOwner(tx, owner);
    const passkey = await lockPasskey(tx, owner, signature.id);
    const expected = { challenge, isUserVerified: true };
    const signCount = passkey ? await verifyPasskey(site, signature, expected, passkey) : null;
    if (!passkey || signCount === null) throw incorrect();
    const account = { ...owner, id: owner.userId };
    await requireLocalSignIn(tx, account, 'passkeys');
    await notePasskeyUse(tx, passkey.id, signCount);
    return openSession(deps, tx, ctx, account);
  });
  // A valid signature does not count as a guess, even if the policy rejects the sign-in.
  const token = await undoOnRefusal(signIn, async (refusal) => {
    if (refusal instanceof ConsoleError && refusal.status === 403) await throttle.forgive(ctx.address, tried);
  });
  await throttle.forgive(ctx.address, tried);
  return { access_token: token, token_type: 'bearer' };
}

/**
 * Returns the throttle subject of a passkey. Unknown passkeys are counted like known ones. Known IP addresses are
 * counted separately, so that other clients cannot lock the user out.
 */
function namePasskey(credentialId: string, knownAddress: string | null): string {
  const passkey = `passkey:${createHash('sha256').update(credentialId).digest('hex')}`;
  return knownAddress === null ? passkey : `${passkey}:${knownAddress}`;
}

const isHandleOf = (userId: number, handle: string | undefined) =>
  handle !== undefined && Buffer.from(handle, 'base64url').equals(passkeyHandleOf(userId));

const expired = () =>
  new CodedError(401, 'This sign-in has expired or was already completed. Try again.', {
    code: 'sign_in_expired',
  });

const incorrect = () =>
  new CodedError(
    401,
    'This passkey was not accepted. Use another passkey, or sign in with your email and password.',
    { code: 'passkey_incorrect' },
  );
