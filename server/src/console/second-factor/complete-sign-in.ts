import type { completeSignInBody, PasskeySignatureJson, session } from '@sluice/contract';
import type { z } from 'zod';
import type { Throttle } from '#console/auth/attempt-throttle.ts';
import { undoOnRefusal } from '#console/auth/log-in.ts';
import { type OpenSessionDeps, openSession } from '#console/auth/open-session.ts';
import { requireLocalSignIn } from '#console/sign-in-policy/policy.ts';
import {
  countRecoveryCodes,
  findTotp,
  lockPasskey,
  notePasskeyUse,
  useRecoveryCode,
  useTotpStep,
} from '#console/sign-in-tickets/factors-store.ts';
import {
  countTicketTry,
  deleteTicket,
  findTicketUser,
  hashTicket,
  lockTicket,
  type Ticket,
} from '#console/sign-in-tickets/tickets.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import { foldRecoveryCode } from '#domain/recovery-code.ts';
import { findTotpStep } from '#domain/totp.ts';
import { CodedError } from '#errors/console-error.ts';
import type { RequestContext } from '#http/console-route.ts';
import type { Keyring } from '#platform/keyring.ts';
import { openSecret, totpSecretPlace } from '#platform/seal-secret.ts';
import { type NoticeDeps, notifyOwner } from './notices.ts';
import { findPasskeySite, verifyPasskey } from './verify-passkey.ts';

export interface CompleteSignInDeps extends OpenSessionDeps, NoticeDeps {
  readonly database: SystemDatabase;
  readonly keyring: Pick<Keyring, 'sessionKey' | 'hashLinkToken' | 'sealingKey'>;
}

type Proof = z.output<typeof completeSignInBody>;

/**
 * Exchanges a ticket and a second factor for a session. Attempts are limited per 15 minutes and per day, by IP
 * address, by ticket, and by user across tickets. Each ticket, code and challenge can be used once.
 * @throws ConsoleError 403 if the tenant's policy no longer allows passwords, 429 after too many attempts
 * @throws CodedError 401 if the ticket has expired or the factor is wrong
 */
export async function completeSignIn(
  deps: CompleteSignInDeps,
  throttle: Throttle,
  ctx: RequestContext,
  proof: Proof,
): Promise<z.infer<typeof session>> {
  const tokenHash = hashTicket(deps.keyring, proof.ticket, ctx);
  await throttle.countAddress(ctx.address);
  const { address } = ctx;
  const found = await findTicketUser(deps.database, tokenHash, { now: new Date(deps.clock()), address });
  if (!found) throw invalidTicket();
  const { userId, isAddressKnown } = found;
  // Count known IP addresses separately, so that an attacker who knows the password cannot lock the user out.
  const account = isAddressKnown ? `second-factor:${userId}:${address}` : `second-factor:${userId}`;
  await undoOnRefusal(throttle.countAccount(account), () => throttle.takeBackAddress(ctx.address));
  await undoOnRefusal(throttle.countDay(account), () => throttle.takeBackAddress(ctx.address));
  const outcome = await changeAs(deps.database, { ...ctx.actor, userId }, async (tx) => {
    const ticket = await lockTicket(tx, tokenHash, new Date(deps.clock()));
    if (!ticket) return 'no ticket';
    // Check the policy again, because it may have changed since the password was entered.
    await requireLocalSignIn(tx, { tenantId: ticket.tenantId, id: ticket.userId }, 'passwords');
    if (!(await acceptProof(deps, tx, ticket, proof))) {
      await countTicketTry(tx, ticket.id);
      return 'wrong';
    }
    await deleteTicket(tx, ticket.id);
    return { token: await openSession(deps, tx, ctx, { ...ticket, id: ticket.userId }) };
  });
  if (outcome === 'no ticket') throw invalidTicket();
  if (outcome === 'wrong') {
    throw new CodedError(401, explainRefusal(proof), { code: 'second_factor_incorrect' });
  }
  await Promise.all([throttle.forgive(ctx.address, account), throttle.takeBackDay(account)]);
  return { access_token: outcome.token, token_type: 'bearer' };
}

const invalidTicket = () =>
  new CodedError(401, 'This sign-in has expired or was already completed. Enter your password again.', {
    code: 'sign_in_expired',
  });

function explainRefusal(proof: Proof): string {
  if ('code' in proof) {
    return 'This code is incorrect or was already used. Enter the code that your authenticator app shows now.';
  }
  return 'passkey' in proof
    ? 'This passkey was not accepted. Use another passkey of this account, or another method.'
    : 'This recovery code is incorrect or was already used. Enter another one.';
}

/** Verifies a second factor and marks it as used, in the transaction that locks the ticket. */
function acceptProof(
  deps: CompleteSignInDeps,
  tx: SystemDatabase,
  ticket: Ticket,
  proof: Proof,
): Promise<boolean> {
  if ('code' in proof) return acceptTotp(deps, tx, ticket, proof.code);
  if ('passkey' in proof) return acceptPasskey(deps, tx, ticket, proof.passkey);
  return acceptRecoveryCode(deps, tx, ticket, proof.recovery_code);
}

async function acceptTotp(
  { keyring, clock }: CompleteSignInDeps,
  tx: SystemDatabase,
  ticket: Ticket,
  code: string,
): Promise<boolean> {
  const totp = await findTotp(tx, ticket);
  if (!totp?.confirmedAt || !totp.sealedSecret) return false;
  const secret = openSecret(keyring.sealingKey, totpSecretPlace(totp.tenantId, totp.id), totp.sealedSecret);
  const step = findTotpStep(secret, code, clock());
  return step !== null && (await useTotpStep(tx, totp.id, step));
}

async function acceptPasskey(
  { publicUrl }: CompleteSignInDeps,
  tx: SystemDatabase,
  ticket: Ticket,
  signature: PasskeySignatureJson,
): Promise<boolean> {
  const site = findPasskeySite(publicUrl);
  const passkey = await lockPasskey(tx, ticket, signature.id);
  if (!site || !passkey) return false;
  const signCount = await verifyPasskey(
    site,
    signature,
    { challenge: ticket.challenge, isUserVerified: false },
    passkey,
  );
  if (signCount === null) return false;
  await notePasskeyUse(tx, passkey.id, signCount);
  return true;
}

async function acceptRecoveryCode(
  deps: CompleteSignInDeps,
  tx: SystemDatabase,
  ticket: Ticket,
  typed: string,
): Promise<boolean> {
  const hash = deps.keyring.hashLinkToken(foldRecoveryCode(typed));
  if (!(await useRecoveryCode(tx, ticket, hash))) return false;
  const left = (await countRecoveryCodes(tx, ticket)) ?? 0;
  await notifyOwner(deps, tx, ticket, { kind: 'recovery code used', left });
  return true;
}
