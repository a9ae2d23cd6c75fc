import type { addPasskeyBody, confirmTotpBody, SecondFactor } from '@sluice/contract';
import type { z } from 'zod';
import type { AccountThrottle } from '#console/auth/attempt-throttle.ts';
import { requireCurrentPassword } from '#console/auth/change-own-password.ts';
import { renewedClaims, sessionIdOf } from '#console/auth/own-sessions.ts';
import { renewSession } from '#console/auth/sessions-store.ts';
import { readSessionLifetimeMs } from '#console/sign-in-policy/policy.ts';
import * as store from '#console/sign-in-tickets/factors-store.ts';
import { lockSelf } from '#console/users/target.ts';
import { reserveId } from '#db/reserve-id.ts';
import { totpAuthenticators } from '#db/schema/second-factors.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { foldRecoveryCode, makeRecoveryCodes } from '#domain/recovery-code.ts';
import { findTotpStep, formatOtpauthUrl, makeTotpSecret } from '#domain/totp.ts';
import { CodedError, ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { Keyring } from '#platform/keyring.ts';
import type { PasswordHasher } from '#platform/password.ts';
import { openSecret, sealSecret, totpSecretPlace } from '#platform/seal-secret.ts';
import { signSessionToken } from '#platform/tokens.ts';
import { type FactorChange, type NoticeDeps, notifyOwner } from './notices.ts';
import { createPasskeyOptions, findPasskeySite, verifyNewPasskey } from './verify-passkey.ts';

export interface ChangeFactorsDeps extends NoticeDeps {
  readonly keyring: Pick<Keyring, 'sessionKey' | 'hashLinkToken' | 'sealingKey'>;
  readonly passwords: PasswordHasher;
}

/** Maximum age of a sign-in for changing factors without entering the password again. */
const recentMinutes = 15;

export async function getSecondFactor(
  { publicUrl }: Pick<NoticeDeps, 'publicUrl'>,
  tx: TenantTransaction,
  author: Principal,
): Promise<SecondFactor> {
  const totp = await store.findTotp(tx, author);
  const passkeys = await store.selectPasskeys(tx, author);
  const codesLeft = await store.countRecoveryCodes(tx, author);
  const useOf = (row: { createdAt: Date; lastUsedAt: Date | null }) => ({
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  });
  const confirmed = totp?.confirmedAt ? totp : undefined;
  return {
    is_on: confirmed !== undefined || passkeys.length > 0,
    is_required: author.secondFactor?.isRequired ?? false,
    totp: confirmed ? useOf(confirmed) : null,
    passkeys: passkeys.map((row) => ({ id: row.id, name: row.name, ...useOf(row) })),
    recovery_codes_left: codesLeft ?? 0,
    passkey_origin: findPasskeySite(publicUrl)?.origin ?? null,
    needs_password: !(await store.isProvedRecently(tx, author, sessionIdOf(author), recentMinutes)),
  };
}

/** Attempts are throttled. */
export async function confirmPassword(
  deps: ChangeFactorsDeps,
  throttle: AccountThrottle,
  ctx: SignedInContext,
  password: string,
): Promise<void> {
  await requireCurrentPassword(deps, throttle, ctx, password, 'password');
  await ctx.inTenant((tx) => store.noteProof(tx, ctx.principal, sessionIdOf(ctx.principal)));
}

/**
 * Locks the caller's row and requires a recent sign-in.
 * @throws CodedError 403 if the user must enter the password first
 * @throws ConsoleError 401 if the session ended while the request waited for the lock
 */
async function lockRecentUser(tx: TenantTransaction, author: Principal): Promise<void> {
  await lockSelf(tx, author);
  const isRecent = await store.isProvedRecently(tx, author, sessionIdOf(author), recentMinutes);
  if (isRecent === undefined) throw new ConsoleError(401, 'Could not validate credentials');
  if (isRecent) return;
  throw new CodedError(403, 'Your sign-in is older than 15 minutes. Confirm your password to continue.', {
    code: 'password_confirmation_required',
  });
}

/** The app becomes a factor once its first code is confirmed. */
export async function startTotp(
  { keyring }: ChangeFactorsDeps,
  tx: TenantTransaction,
  author: Principal,
): Promise<{ otpauth_url: string; secret: string }> {
  await lockRecentUser(tx, author);
  const present = await store.findTotp(tx, author);
  if (present?.confirmedAt) {
    throw new ConsoleError(409, 'You already have an authenticator app. Remove it before you add another.');
  }
  const secret = makeTotpSecret();
  const id = await reserveId(tx, totpAuthenticators);
  const sealedSecret = sealSecret(keyring.sealingKey, totpSecretPlace(author.tenantId, id), secret);
  await store.insertTotp(tx, author, { id, sealedSecret });
  return { otpauth_url: formatOtpauthUrl({ secret, account: author.email }), secret };
}

interface ChangedFactors {
  readonly access_token: string;
  readonly token_type: 'bearer';
  readonly recovery_codes: string[] | null;
}

/** `work` returns new recovery codes, if any. */
async function changeFactors(
  deps: ChangeFactorsDeps,
  { principal, inTenant }: SignedInContext,
  change: FactorChange,
  work: (tx: TenantTransaction) => Promise<string[] | null>,
): Promise<ChangedFactors> {
  const sessionId = sessionIdOf(principal);
  const nowMs = deps.clock();
  const { tokenVersion, lifetimeMs, recovery_codes } = await inTenant(async (tx) => {
    await lockRecentUser(tx, principal);
    const codes = await work(tx);
    const version = await store.storeFactorState(tx, principal, await hasFactor(tx, principal));
    const lifetime = await readSessionLifetimeMs(tx, principal.tenantId);
    const expiresAt = new Date(nowMs + lifetime);
    await renewSession(tx, principal, { id: sessionId, tokenVersion: version, expiresAt });
    await notifyOwner(deps, tx, principal, { kind: change });
    return { tokenVersion: version, lifetimeMs: lifetime, recovery_codes: codes };
  });
  const claims = renewedClaims(principal, tokenVersion);
  const access_token = await signSessionToken(deps.keyring.sessionKey, claims, nowMs, lifetimeMs);
  return { access_token, token_type: 'bearer', recovery_codes };
}

async function hasFactor(tx: TenantTransaction, owner: store.FactorOwner): Promise<boolean> {
  const totp = await store.findTotp(tx, owner);
  return Boolean(totp?.confirmedAt) || (await store.selectPasskeys(tx, owner)).length > 0;
}

export function confirmTotp(
  deps: ChangeFactorsDeps,
  ctx: SignedInContext,
  { code }: z.output<typeof confirmTotpBody>,
): Promise<ChangedFactors> {
  const { principal } = ctx;
  return changeFactors(deps, ctx, 'totp added', async (tx) => {
    const totp = await store.findTotp(tx, principal);
    if (!totp?.sealedSecret || totp.confirmedAt) {
      throw new ConsoleError(
        409,
        'No authenticator app is waiting for its first code. Start the setup again.',
      );
    }
    const place = totpSecretPlace(totp.tenantId, totp.id);
    const step = findTotpStep(
      openSecret(deps.keyring.sealingKey, place, totp.sealedSecret),
      code,
      deps.clock(),
    );
    if (step === null) {
      throw invalidField(
        'code',
        'This code is incorrect. Enter the code that the app shows now. If it is rejected as well, check the clock of your device.',
      );
    }
    await store.confirmTotpRow(tx, totp.id, step);
    return addFirstCodes(deps, tx, principal);
  });
}

export function removeTotp(deps: ChangeFactorsDeps, ctx: SignedInContext): Promise<ChangedFactors> {
  return changeFactors(deps, ctx, 'totp removed', async (tx) => {
    if (!(await store.deleteTotp(tx, ctx.principal))) throw notFound('Authenticator app');
    await settleRemoval(tx, ctx.principal);
    return null;
  });
}

export const noSite = () =>
  new ConsoleError(
    409,
    'Passkeys require a public URL with a domain name and HTTPS. Ask the operator to set PUBLIC_URL.',
  );

/** The challenge can be used once, and only in this session. */
export async function startPasskey(
  { publicUrl }: ChangeFactorsDeps,
  tx: TenantTransaction,
  author: Principal,
): Promise<Record<string, unknown>> {
  const site = findPasskeySite(publicUrl);
  if (!site) throw noSite();
  await lockRecentUser(tx, author);
  const options = await createPasskeyOptions(site, author, await store.selectPasskeys(tx, author));
  await store.storeChallenge(tx, author, sessionIdOf(author), options.challenge);
  return { ...options };
}

export function addPasskey(
  deps: ChangeFactorsDeps,
  ctx: SignedInContext,
  { name, passkey: response }: z.output<typeof addPasskeyBody>,
): Promise<ChangedFactors> {
  const { principal } = ctx;
  const { tenantId, userId } = principal;
  const site = findPasskeySite(deps.publicUrl);
  return changeFactors(deps, ctx, 'passkey added', async (tx) => {
    if (!site) throw noSite();
    const challenge = await store.takeChallenge(tx, principal, sessionIdOf(principal));
    const passkey = challenge === null ? null : await verifyNewPasskey(site, response, challenge);
    if (!passkey || !(await store.insertPasskey(tx, { tenantId, userId, name, ...passkey }))) {
      throw invalidField(
        'passkey',
        `This passkey was not accepted. Start again at ${site.origin}, the URL of this installation.`,
      );
    }
    return addFirstCodes(deps, tx, principal);
  });
}

export function removePasskey(
  deps: ChangeFactorsDeps,
  ctx: SignedInContext,
  id: number,
): Promise<ChangedFactors> {
  return changeFactors(deps, ctx, 'passkey removed', async (tx) => {
    if (!(await store.deletePasskey(tx, ctx.principal, id))) throw notFound('Passkey');
    await settleRemoval(tx, ctx.principal);
    return null;
  });
}

/**
 * Deletes the recovery codes if the last factor was removed.
 * @throws ConsoleError 409 if the user's role requires a factor
 */
async function settleRemoval(tx: TenantTransaction, author: Principal): Promise<void> {
  if (await hasFactor(tx, author)) return;
  if (author.secondFactor?.isRequired) {
    throw new ConsoleError(
      409,
      'Your role requires a second factor. Add another one before you remove your last one.',
    );
  }
  await store.deleteRecoveryCodes(tx, author);
}

export function renewRecoveryCodes(deps: ChangeFactorsDeps, ctx: SignedInContext): Promise<ChangedFactors> {
  return changeFactors(deps, ctx, 'codes renewed', async (tx) => {
    if (!(await hasFactor(tx, ctx.principal))) {
      throw new ConsoleError(409, 'Add an authenticator app or a passkey before you create recovery codes.');
    }
    return storeNewCodes(deps, tx, ctx.principal);
  });
}

async function addFirstCodes(
  deps: ChangeFactorsDeps,
  tx: TenantTransaction,
  owner: store.FactorOwner,
): Promise<string[] | null> {
  return (await store.countRecoveryCodes(tx, owner)) === null ? storeNewCodes(deps, tx, owner) : null;
}

async function storeNewCodes(
  { keyring }: ChangeFactorsDeps,
  tx: TenantTransaction,
  owner: store.FactorOwner,
): Promise<string[]> {
  const codes = makeRecoveryCodes();
  const hashes = codes.map((code) => keyring.hashLinkToken(foldRecoveryCode(code)));
  await store.storeRecoveryCodes(tx, owner, hashes);
  return codes;
}
