import { setTimeout as pause } from 'node:timers/promises';
import type { AddressThrottle } from '#console/auth/attempt-throttle.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { RequestContext } from '#http/console-route.ts';
import { type Mailbox, mailWords } from '#mail/mailbox.ts';
import type { Clock } from '#platform/clock.ts';
import type { Keyring } from '#platform/keyring.ts';
import { makeLinkToken } from '#platform/tokens.ts';
import { findResetOf, lockPersonByEmail, storeReset } from './store.ts';

export interface PasswordResetDeps {
  readonly database: SystemDatabase;
  readonly keyring: Pick<Keyring, 'hashLinkToken'>;
  readonly mailbox: Mailbox;
  readonly hasMailServer: boolean;
  readonly clock: Clock;
  /** Public base URL without a trailing slash. */
  readonly publicUrl: string;
}

const lifetimeMs = 30 * 60_000;
/** Minimum interval between emails to the same user, so that nobody can flood the user's mailbox. */
const mailEveryMs = 2 * 60_000;
/** Minimum response time, so that timing does not reveal whether an email was sent. */
const answerMs = 250;

/** @throws ConsoleError 409 if the installation sends no emails, 429 if the client's network exceeds the limit */
export async function requestPasswordReset(
  deps: PasswordResetDeps,
  throttle: AddressThrottle,
  ctx: RequestContext,
  email: string,
): Promise<void> {
  if (!deps.hasMailServer) {
    throw new ConsoleError(
      409,
      'No mail server is configured. Ask your administrator to set a new password.',
    );
  }
  await throttle.count(ctx.address);
  await Promise.all([writeMail(deps, ctx, email), pause(answerMs)]);
}

function writeMail(deps: PasswordResetDeps, ctx: RequestContext, email: string): Promise<void> {
  const { database, keyring, mailbox, clock, publicUrl } = deps;
  return changeAs(database, ctx.actor, async (tx) => {
    const person = await lockPersonByEmail(tx, email);
    if (!person) return;
    const { id: userId, tenantId, tokenVersion } = person;
    const nowMs = clock();
    const former = await findResetOf(tx, userId);
    if (former && nowMs - former.createdAt.getTime() < mailEveryMs) return;
    const token = makeLinkToken();
    const expiresAt = new Date(nowMs + lifetimeMs);
    const mailId = await mailbox.putNotice(tx, {
      effect: 'password_reset',
      tenantId,
      to: person.email,
      subject: mailWords`Choose a new password`,
      body: mailWords`Hello ${person.name},\n\na new password was requested for your Sluice account. Use the link below to choose one. It works once and expires after 30 minutes. Setting a new password ends all your sessions; your API key stays valid.\n\nIf you did not request this, ignore this email. Your password does not change.`,
      action: 'Choose a new password',
      link: { origin: publicUrl, path: `/reset-password/${token}` },
      opensRole: person.role,
      expiresAt,
    });
    if (mailId === null) return;
    if (former) await mailbox.withdraw(tx, tenantId, former.mailId);
    const tokenHash = keyring.hashLinkToken(token);
    const createdAt = new Date(nowMs);
    await storeReset(tx, { tenantId, userId, tokenHash, tokenVersion, mailId, createdAt, expiresAt });
  });
}
