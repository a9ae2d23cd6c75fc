import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { signupBody } from '@sluice/contract';
import type { z } from 'zod';
import type { AddressThrottle } from '#console/auth/attempt-throttle.ts';
import { requirePlan } from '#console/tenants/add-tenant.ts';
import { requireUncommonPassword } from '#console/users/change-password.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import { networkOf } from '#domain/caller-network.ts';
import { ConsoleError, invalidField } from '#errors/console-error.ts';
import type { RequestContext, WithIdempotency } from '#http/console-route.ts';
import { type PaymentProvider, PaymentRefusedError } from '#payments/payment-provider.ts';
import type { HashCaller, PasswordHasher } from '#platform/password.ts';
import { type ConfirmationDeps, requestConfirmation } from './confirmation.ts';
import { type OpenAccountDeps, openAccount, startAtProvider } from './open-account.ts';
import { findOwner, isInvited } from './store.ts';

export interface SignUpDeps extends OpenAccountDeps, ConfirmationDeps {
  readonly passwords: Pick<PasswordHasher, 'hash' | 'verify'>;
  readonly throttle: AddressThrottle;
  /** Whether the installation sends emails. If true, the email of a new account must be confirmed. */
  readonly hasMailServer: boolean;
}

type Body = z.output<typeof signupBody>;

interface Answer {
  readonly message: string;
  readonly email: string;
  readonly needs_confirmation?: true;
}

/** Minimum response time after storing the card, so that timing does not reveal what was stored. */
const answerMs = 250;

/**
 * Signs up a user. Sending the same form again has no further effect. The order of steps is the same for every email.
 * With a mail server, the response is too; without one, a used or invited email results in a general error.
 */
export async function signUp(
  deps: SignUpDeps,
  ctx: RequestContext & WithIdempotency,
  body: Body,
): Promise<Answer> {
  await deps.throttle.count(ctx.address);
  requireUncommonPassword(body.password);
  const plan = await requirePlan(deps.system, body.selected_plan_id, 'selected_plan_id');
  const customerId = await keepCard(deps.provider, body, plan.priceMonthly === 0n);
  const passwordHash = await deps.passwords.hash(body.password, hashCallerOf(ctx, body.email));
  const account = { ...toAccount(body), planId: plan.id, customerId, passwordHash };
  let tenantId: number | null = null;
  const store = async (tx: SystemDatabase): Promise<Answer> => {
    const { email } = body;
    if (deps.hasMailServer) {
      await requestConfirmation(deps, tx, account);
      return { message: 'Open the link in the email that we sent you.', email, needs_confirmation: true };
    }
    // Reject invited emails: without a confirmed email, the invitation takes precedence.
    if ((await findOwner(tx, email)) || (await isInvited(tx, email))) throw cannotSignUp();
    tenantId = await openAccount(deps, tx, account).catch(asGeneralError);
    return { message: 'Account created successfully!', email };
  };
  const work = changeAs(deps.system, ctx.actor, (tx) => ctx.runIdempotent(tx, () => store(tx)));
  const answer = await settleNoSooner(work);
  if (tenantId !== null) await startAtProvider(deps, tenantId);
  return answer;
}

async function settleNoSooner<Result>(work: Promise<Result>): Promise<Result> {
  const [outcome] = await Promise.allSettled([work, pause(answerMs)]);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

const toAccount = ({ email, name, company_name }: Body) => ({ email, name, companyName: company_name });

const cannotSignUp = () =>
  invalidField(
    'email',
    'No account can be created with this email. If you have an account, log in; if you were invited, open the link of your invitation; otherwise use another email.',
  );

function asGeneralError(error: unknown): never {
  const isTaken =
    error instanceof ConsoleError &&
    typeof error.detail !== 'string' &&
    error.detail.some(({ loc }) => loc.at(-1) === 'email');
  throw isTaken ? cannotSignUp() : error;
}

/**
 * Stores the card at the provider. Idempotency keys are derived from the form, so that a retry finds the customer and
 * card of the first attempt.
 */
async function keepCard(provider: PaymentProvider, body: Body, isFree: boolean): Promise<string> {
  const paymentMethodId = await chooseCard(provider, body, isFree);
  const { email, company_name, name } = body;
  const person = { email, name: company_name || name };
  const attempt = createHash('sha256')
    .update(JSON.stringify([person, paymentMethodId]))
    .digest('hex');
  try {
    const customerId = await provider.createCustomer({
      ...person,
      idempotencyKey: `sluice-signup-${attempt}`,
    });
    await provider.attachPaymentMethod(customerId, paymentMethodId, `sluice-signup-card-${attempt}`);
    return customerId;
  } catch (error) {
    if (error instanceof PaymentRefusedError) throw new ConsoleError(402, error.message);
    throw error;
  }
}

function hashCallerOf({ address }: RequestContext, email: string): HashCaller {
  const member = `signup:${createHash('sha256').update(email.toLowerCase()).digest('hex')}`;
  return { purpose: 'set-password', group: networkOf(address), member };
}

interface GivenCard {
  readonly payment_method_id?: string | null | undefined;
  readonly setup_intent_id?: string | null | undefined;
}

/**
 * Returns the card for a new tenant's plan. A free plan requires a card from a successful setup intent.
 * @throws ConsoleError 422 if a required card is missing
 */
async function chooseCard(
  provider: Pick<PaymentProvider, 'readSetupIntent'>,
  { payment_method_id, setup_intent_id }: GivenCard,
  isFree: boolean,
): Promise<string> {
  if (isFree) return readSetUpCard(provider, setup_intent_id);
  if (!payment_method_id) throw invalidField('payment_method_id', 'This plan requires a payment method');
  return payment_method_id;
}

async function readSetUpCard(
  provider: Pick<PaymentProvider, 'readSetupIntent'>,
  id: string | null | undefined,
): Promise<string> {
  if (!id) throw invalidField('setup_intent_id', 'Setup intent not created');
  const intent = await provider.readSetupIntent(id);
  if (intent?.status !== 'succeeded' || intent.paymentMethodId === null) {
    throw invalidField('setup_intent_id', 'The card is not set up yet. Please enter it again.');
  }
  return intent.paymentMethodId;
}
