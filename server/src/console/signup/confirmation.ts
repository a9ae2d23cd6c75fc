import { setTimeout as pause } from 'node:timers/promises';
import type { AccountThrottle, AddressThrottle } from '#console/auth/attempt-throttle.ts';
import { requirePlan } from '#console/tenants/add-tenant.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import { ConsoleError, invalidField } from '#errors/console-error.ts';
import type { RequestContext } from '#http/console-route.ts';
import { type Mailbox, mailWords } from '#mail/mailbox.ts';
import type { PaymentProvider } from '#payments/payment-provider.ts';
import type { Clock } from '#platform/clock.ts';
import type { Keyring } from '#platform/keyring.ts';
import type { PasswordHasher } from '#platform/password.ts';
import { makeLinkToken } from '#platform/tokens.ts';
import { type NewAccount, type OpenAccountDeps, openAccount, startAtProvider } from './open-account.ts';
import {
  changeLink,
  findOwner,
  findSignup,
  insertSignup,
  lockNewestSignup,
  type SignupRow,
  takeSignup,
} from './store.ts';

export interface ConfirmationDeps {
  readonly system: SystemDatabase;
  readonly keyring: Pick<Keyring, 'hashLinkToken'>;
  readonly mailbox: Mailbox;
  readonly clock: Clock;
  /** Public base URL without a trailing slash. */
  readonly publicUrl: string;
}

const lifetimeMs = 24 * 3_600_000;
const resendMs = 250;

/** If the email already has an account, emails a notice instead. */
export async function requestConfirmation(
  deps: ConfirmationDeps & { readonly provider: PaymentProvider },
  tx: SystemDatabase,
  account: NewAccount,
): Promise<void> {
  const owner = await findOwner(tx, account.email);
  if (owner) return notifyOwner(deps, tx, { ...owner, email: account.email });
  const link = await mailLink(deps, tx, account);
  // If the recipient's limit is exceeded, no email is sent, so there is nothing to confirm.
  if (link) await insertSignup(tx, { ...account, ...link, paymentProvider: deps.provider.name });
}

/**
 * Response and timing are the same for every email.
 * @throws ConsoleError 429 if a network exceeds the limit
 */
export async function resendConfirmation(
  deps: ConfirmationDeps,
  throttle: AddressThrottle,
  ctx: RequestContext,
  email: string,
): Promise<void> {
  await throttle.count(ctx.address);
  const work = changeAs(deps.system, ctx.actor, async (tx) => {
    const signup = await lockNewestSignup(tx, email, new Date(deps.clock()));
    const link = signup && (await mailLink(deps, tx, signup));
    if (!link) return;
    await deps.mailbox.withdraw(tx, null, signup.mailId);
    await changeLink(tx, signup.id, link);
  });
  await Promise.all([work, pause(resendMs)]);
}

async function mailLink(
  { keyring, mailbox, clock, publicUrl }: ConfirmationDeps,
  tx: SystemDatabase,
  { email, name }: Pick<NewAccount, 'email' | 'name'>,
): Promise<Pick<SignupRow, 'tokenHash' | 'mailId' | 'expiresAt'> | null> {
  const token = makeLinkToken();
  const expiresAt = new Date(clock() + lifetimeMs);
  const mailId = await mailbox.putNotice(tx, {
    effect: 'signup_confirmation',
    tenantId: null,
    to: email,
    subject: mailWords`Confirm your email for Sluice`,
    body: mailWords`Hello ${name},\n\nsomeone signed up for Sluice with this email. If it was you, open the link below within 24 hours and enter the password that you chose.\n\nIf it was not you, ignore this email. No account is created.`,
    action: 'Confirm your email',
    link: { origin: publicUrl, path: `/signup/confirm/${token}` },
    opensRole: 'admin',
    expiresAt,
  });
  return mailId === null ? null : { tokenHash: keyring.hashLinkToken(token), mailId, expiresAt };
}

async function notifyOwner(
  { mailbox, clock, publicUrl }: ConfirmationDeps,
  tx: SystemDatabase,
  { email, name, isSuspended }: { email: string; name: string; isSuspended: boolean },
): Promise<void> {
  if (isSuspended) return;
  await mailbox.putNotice(tx, {
    effect: 'signup_notice',
    tenantId: null,
    to: email,
    subject: mailWords`You already have a Sluice account`,
    body: mailWords`Hello ${name},\n\nsomeone signed up for Sluice with this email, which already has an account. Nothing has changed.\n\nIf it was you, sign in with the password of that account, or choose a new one on the sign-in page.`,
    action: 'Sign in',
    link: { origin: publicUrl, path: '/login' },
    opensRole: 'user',
    expiresAt: new Date(clock() + lifetimeMs),
  });
}

export interface ConfirmDeps extends ConfirmationDeps, OpenAccountDeps {
  readonly passwords: Pick<PasswordHasher, 'verify'>;
  readonly links: AddressThrottle;
  readonly tries: AccountThrottle;
}

/**
 * Returns the signup that a link confirms.
 * @throws ConsoleError 404 if the link was used, was replaced or has expired
 */
export async function getSignupConfirmation(deps: ConfirmDeps, ctx: RequestContext, token: string) {
  const { email, name, companyName, expiresAt } = await openConfirmation(deps, ctx, token);
  return { email, company_name: companyName || name, expires_at: expiresAt.toISOString() };
}

/**
 * Opens the account of a signup. Succeeds once. The password proves that the recipient of the email is the user who
 * signed up. Without the password, a click could open an attacker's account with the recipient's email.
 */
export async function confirmSignup(
  deps: ConfirmDeps,
  ctx: RequestContext,
  { token, password }: { token: string; password: string },
): Promise<{ message: string; email: string }> {
  const signup = await openConfirmation(deps, ctx, token);
  await deps.tries.count(signup.id);
  const caller = { purpose: 'sign-in', group: `signup:${signup.id}`, member: `signup:${signup.id}` } as const;
  if (!(await deps.passwords.verify(password, signup.passwordHash, caller))) {
    throw invalidField('password', 'This is not the password that you chose when you signed up.');
  }
  const tenantId = await changeAs(deps.system, ctx.actor, async (tx) => {
    const plan = await requirePlan(tx, signup.planId, 'selected_plan_id');
    if (!(await takeSignup(tx, signup.id))) throw invalidLink();
    await deps.mailbox.withdraw(tx, null, signup.mailId);
    return openAccount(deps, tx, { ...signup, planId: plan.id });
  });
  await deps.tries.forgive(signup.id);
  await startAtProvider(deps, tenantId);
  return { message: 'Account created successfully!', email: signup.email };
}

async function openConfirmation(
  { system, keyring, clock, links }: ConfirmDeps,
  { address }: RequestContext,
  token: string,
): Promise<SignupRow> {
  await links.count(address);
  const signup = await findSignup(system, keyring.hashLinkToken(token), new Date(clock()));
  if (!signup) throw invalidLink();
  await links.takeBack(address);
  return signup;
}

function invalidLink(): ConsoleError {
  return new ConsoleError(404, 'This link is no longer valid. Please sign up again.');
}
