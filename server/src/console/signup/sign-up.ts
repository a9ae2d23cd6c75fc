import { createHash } from 'node:crypto';
import type { signupBody } from '@sluice/contract';
import type { z } from 'zod';
import type { AddressThrottle } from '#console/auth/throttle.ts';
import { addFirstAdministrator } from '#console/tenants/add-first-administrator.ts';
import { addTenant } from '#console/tenants/add-tenant.ts';
import { requirePlan } from '#console/tenants/require-plan.ts';
import { requireUncommonPassword } from '#console/users/require-uncommon-password.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import { networkOf } from '#domain/sign-in-throttle.ts';
import { ConsoleError, invalidField } from '#errors/console-error.ts';
import type { RequestContext, WithOnce } from '#http/console-route.ts';
import { applySubscription } from '#payments/apply-subscription.ts';
import { type PaymentProvider, PaymentRefusedError } from '#payments/payment-provider.ts';
import { startSubscription, trialDays } from '#payments/start-subscription.ts';
import type { Logger } from '#platform/logger.ts';
import type { HashAsker, PasswordHasher } from '#platform/password.ts';
import { chooseCard } from './choose-card.ts';
import { isAddressTaken } from './store.ts';

export interface SignUpDeps {
  readonly system: SystemDatabase;
  readonly provider: PaymentProvider;
  readonly passwords: Pick<PasswordHasher, 'hash'>;
  readonly throttle: AddressThrottle;
  readonly hasSandbox: boolean;
  readonly log: Logger;
}

type Body = z.output<typeof signupBody>;

const answerTo = ({ email }: Body) => ({ message: 'Account created successfully!', email });

/**
 * Makes a tenant on trial with its first administrator, once however often the form is sent. The card is kept at the
 * provider first, which costs nobody anything; tenant, person and subscription are one transaction after that; and the
 * provider hears of the subscription last, from here or from the job that looks for those it does not know.
 */
export async function signUp(
  deps: SignUpDeps,
  ctx: RequestContext & WithOnce,
  body: Body,
): Promise<{ message: string; email: string }> {
  await deps.throttle.count(ctx.address);
  requireUncommonPassword(body.password);
  const plan = await requirePlan(deps.system, body.selected_plan_id, 'selected_plan_id');
  // Of a repetition the transaction knows the answer; its card is kept already.
  const isRepeated = await isAddressTaken(deps.system, body.email);
  const customerId = isRepeated ? '' : await keepCard(deps.provider, body, plan.priceMonthly === 0n);
  const passwordHash = isRepeated
    ? ''
    : await deps.passwords.hash(body.password, hashAskerOf(ctx, body.email));
  const made = await changeAs(deps.system, ctx.actor, (tx) => {
    let tenantId: number | null = null;
    const work = async () => {
      if (isRepeated) throw invalidField('email', 'A user with this email already exists');
      tenantId = await addTenantOf(tx, body, { passwordHash, hasSandbox: deps.hasSandbox });
      const { name: provider } = deps.provider;
      await startSubscription(tx, { tenantId, planId: plan.id, provider, customerId, trialDays });
      return answerTo(body);
    };
    return ctx.once(tx, work).then((answer) => ({ answer, tenantId }));
  });
  if (made.tenantId !== null) await tellProvider(deps, made.tenantId);
  return made.answer;
}

/** The same form names the same customer, so that a second try finds what a first one left at the provider. */
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

async function addTenantOf(
  tx: SystemDatabase,
  { email, name, company_name, selected_plan_id: planId }: Body,
  { passwordHash, hasSandbox }: { passwordHash: string; hasSandbox: boolean },
): Promise<number> {
  const tenantId = await addTenant(tx, { name: company_name || name, status: 'trial', planId, hasSandbox });
  await addFirstAdministrator(tx, tenantId, { role: 'admin', email, name, passwordHash });
  return tenantId;
}

/** Whatever comes of it, the account exists: a provider that is away is told by the job. */
async function tellProvider({ system, provider, log }: SignUpDeps, tenantId: number): Promise<void> {
  try {
    await applySubscription(system, provider, tenantId);
  } catch (error) {
    log.error({ error, tenantId }, 'the payment provider could not be told of a new subscription yet');
  }
}

function hashAskerOf({ address }: RequestContext, email: string): HashAsker {
  const caller = `signup:${createHash('sha256').update(email.toLowerCase()).digest('hex')}`;
  return { purpose: 'set-password', group: networkOf(address), caller };
}
