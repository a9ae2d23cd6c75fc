import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findFreePort } from '#test/processes/free-port.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { createStripeProvider } from './stripe-provider.ts';

// stripe-mock checks each request against Stripe's published parameters and returns stateless fixtures.
const command = 'stripe-mock';
const isInstalled = spawnSync(command, ['-version']).status === 0;
const title = 'stripe-mock accepts each call of the Stripe adapter';

let mock: ChildProcess;
let provider: PaymentProvider;

beforeAll(async () => {
  if (!isInstalled) return;
  const port = await findFreePort();
  mock = spawn(command, ['-http-addr', `127.0.0.1:${port}`], { stdio: 'ignore' });
  const apiBase = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(apiBase).then(
      () => true,
      () => false,
    );
  await vi.waitFor(async () => expect(await isUp()).toBe(true), 10_000);
  provider = createStripeProvider({
    secretKey: 'sk_test_123',
    publishableKey: 'pk_test_123',
    webhookSecret: 'whsec_test',
    apiBase,
  });
});
afterAll(() => void mock?.kill());

const plan = { id: 'pro', name: 'Pro', monthlyCents: 9_900 };
const key = (name: string) => `test-${name}`;

const calls: readonly (readonly [name: string, call: () => Promise<unknown>])[] = [
  [
    'createIntent',
    () => provider.createIntent({ amountCents: 500, description: 'A test', idempotencyKey: key('intent') }),
  ],
  ['readIntent', () => provider.readIntent('pi_1')],
  [
    'createCustomer',
    () => provider.createCustomer({ email: 'a@b.test', name: 'A', idempotencyKey: key('customer') }),
  ],
  [
    'createSetupIntent',
    () => provider.createSetupIntent({ customerId: 'cus_1', idempotencyKey: key('setup') }),
  ],
  ['readSetupIntent', () => provider.readSetupIntent('seti_1')],
  ['attachPaymentMethod', () => provider.attachPaymentMethod('cus_1', 'pm_card_visa', key('attach'))],
  ['listPaymentMethods', () => provider.listPaymentMethods('cus_1')],
  ['setDefaultPaymentMethod', () => provider.setDefaultPaymentMethod('cus_1', 'pm_1')],
  ['detachPaymentMethod', () => provider.detachPaymentMethod('pm_1')],
  [
    'createSubscription',
    () =>
      provider.createSubscription({
        customerId: 'cus_1',
        plan,
        trialEndsAt: new Date(Date.now() + 14 * 86_400_000),
        idempotencyKey: key('subscription'),
      }),
  ],
  ['readSubscription', () => provider.readSubscription('sub_1')],
  ['changeSubscriptionPlan', () => provider.changeSubscriptionPlan('sub_1', plan)],
  ['cancelSubscription', () => provider.cancelSubscription('sub_1')],
  ['payUnpaid', () => provider.payUnpaid('sub_1')],
];

describe.skipIf(!isInstalled)(isInstalled ? title : `${title}: skipped, ${command} is not installed`, () => {
  it.each(calls)("stripe-mock accepts the adapter's call: %s", async (_name, call) => {
    await expect(call()).resolves.not.toThrow();
  });
});
