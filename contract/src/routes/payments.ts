import { z } from 'zod';
import { decimalNumber } from '../decimal-number.ts';
import { amountProblem, usd } from '../money.ts';
import { defineRoutes } from '../route.ts';

/** `simulated` is for demos and moves no money. */
export const paymentProviders = ['stripe', 'simulated'] as const;

export type PaymentProviderName = (typeof paymentProviders)[number];

export const paymentStatuses = ['pending', 'succeeded', 'failed', 'canceled'] as const;

export type PaymentStatus = (typeof paymentStatuses)[number];

/** In dollars, whole cents, $0.01 to $10,000 (specification 3, section 5). */
export const paymentAmount = decimalNumber(
  z
    .number(amountProblem)
    .min(0.01, amountProblem)
    .max(10_000, 'Maximum recharge amount is $10,000')
    .refine((dollars) => Number(dollars.toFixed(2)) === dollars, 'An amount can have at most 2 decimals'),
  amountProblem,
);

/** `provider` is `null` if payments are not configured. */
export const paymentSetup = z.object({
  provider: z.enum(paymentProviders).nullable(),
  publishable_key: z.string().nullable(),
});

export type PaymentSetup = z.infer<typeof paymentSetup>;

/** The browser pays at the provider with the secret, which is valid for this payment only. */
export const paymentIntent = z.object({
  client_secret: z.string(),
  payment_intent_id: z.string(),
  amount: usd,
});

export type PaymentIntent = z.infer<typeof paymentIntent>;

/** `amount_added` is the amount added to the credits, even if the payment was already confirmed before. */
export const paymentConfirmation = z.object({ amount_added: usd, current_balance: usd });

export type PaymentConfirmation = z.infer<typeof paymentConfirmation>;

/** In the format of card provider libraries. */
export const simulatedPayment = z.object({
  status: z.enum(['succeeded', 'requires_action', 'requires_payment_method']),
  error: z.string().nullable(),
});

export type SimulatedPayment = z.infer<typeof simulatedPayment>;

/** The browser uses `client_secret` to save a card at the payment provider for later charges. */
export const setupIntent = z.object({ client_secret: z.string(), setup_intent_id: z.string() });

export type SetupIntent = z.infer<typeof setupIntent>;

/** `payment_method` is the id of the card once the setup has succeeded. */
export const simulatedSetup = simulatedPayment.extend({ payment_method: z.string().nullable() });

export type SimulatedSetup = z.infer<typeof simulatedSetup>;

const clientSecret = z.string().min(1).max(200);
const pay = { method: 'POST', surface: 'management', permission: 'credits.write' } as const;

/** Requires no session, because the secret of a setup intent confirms the setup, as at a card provider. */
const setUp = { method: 'POST', surface: 'management', permission: 'anyone' } as const;

export const paymentsRoutes = defineRoutes({
  getPaymentSetup: {
    method: 'GET',
    path: '/payment/setup',
    surface: 'management',
    permission: 'anyone',
    summary: 'Get the payment configuration: the provider and its publishable key',
    response: paymentSetup,
  },
  createPaymentIntent: {
    ...pay,
    idempotent: true,
    path: '/credits/my-tenant/create-payment-intent',
    summary: "Create a payment for credits of the caller's tenant",
    request: {
      query: z.strictObject({
        amount: paymentAmount,
        description: z.string().trim().max(500).default('Recharge by card'),
      }),
    },
    response: paymentIntent,
  },
  confirmPayment: {
    ...pay,
    path: '/credits/my-tenant/confirm-payment',
    summary: 'Add a payment to the credits once the provider reports success',
    request: { query: z.strictObject({ payment_intent_id: z.string().min(1).max(255) }) },
    response: paymentConfirmation,
  },
  paySimulated: {
    ...pay,
    path: '/payment/simulated/pay',
    summary: 'Pay an intent at the simulated provider; no money moves',
    request: { body: z.strictObject({ client_secret: clientSecret, payment_method: z.string().max(100) }) },
    response: simulatedPayment,
  },
  authenticateSimulated: {
    ...pay,
    path: '/payment/simulated/authenticate',
    summary: 'Complete the 3-D Secure check of the simulated provider',
    request: { body: z.strictObject({ client_secret: clientSecret, is_approved: z.boolean() }) },
    response: simulatedPayment,
  },
  createSetupIntent: {
    ...setUp,
    path: '/payment/setup-intent',
    summary: 'Create a setup intent for a card; available during signup and to signed-in users',
    response: setupIntent,
  },
  confirmSimulatedSetup: {
    ...setUp,
    path: '/payment/simulated/confirm-setup',
    summary: 'Set up a card at the simulated provider; no money moves',
    request: { body: z.strictObject({ client_secret: clientSecret, payment_method: z.string().max(100) }) },
    response: simulatedSetup,
  },
  authenticateSimulatedSetup: {
    ...setUp,
    path: '/payment/simulated/authenticate-setup',
    summary: 'Complete the 3-D Secure check of a card setup at the simulated provider',
    request: { body: z.strictObject({ client_secret: clientSecret, is_approved: z.boolean() }) },
    response: simulatedSetup,
  },
});
