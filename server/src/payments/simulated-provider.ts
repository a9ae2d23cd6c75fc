import { randomBytes } from 'node:crypto';
import type { SimulatedPayment } from '@sluice/contract';
import { and, eq, ne } from 'drizzle-orm';
import { simulatedIntents } from '#db/schema/simulated-intents.ts';
import type { SystemDatabase } from '#db/system.ts';
import { type PaymentProvider, type ProviderIntent, SignatureRefusedError } from './payment-provider.ts';

/** Moves no money. Its cards are those that Stripe documents for tests. */
export interface SimulatedProvider extends PaymentProvider {
  /** `null` when no intent has this secret. */
  pay(clientSecret: string, paymentMethod: string): Promise<SimulatedPayment | null>;
  /** Answers the 3-D Secure question that paying by some cards leads to. */
  authenticate(clientSecret: string, isApproved: boolean): Promise<SimulatedPayment | null>;
}

/** What comes of paying with a test card, by its name as payment method and by its number (Stripe, "Test cards"). */
const outcomes: Readonly<Record<string, Pick<SimulatedPayment, 'status' | 'error'>>> = {
  pm_card_visa: { status: 'succeeded', error: null },
  '4242424242424242': { status: 'succeeded', error: null },
  pm_card_mastercard: { status: 'succeeded', error: null },
  '5555555555554444': { status: 'succeeded', error: null },
  pm_card_visa_chargeDeclined: declined('Your card was declined.'),
  '4000000000000002': declined('Your card was declined.'),
  pm_card_visa_chargeDeclinedInsufficientFunds: declined('Your card has insufficient funds.'),
  '4000000000009995': declined('Your card has insufficient funds.'),
  pm_card_chargeDeclinedExpiredCard: declined('Your card has expired.'),
  '4000000000000069': declined('Your card has expired.'),
  pm_card_threeDSecure2Required: { status: 'requires_action', error: null },
  pm_card_authenticationRequired: { status: 'requires_action', error: null },
  '4000002500003155': { status: 'requires_action', error: null },
  '4000000000003220': { status: 'requires_action', error: null },
};
const unknownCard = declined(
  'This is no test card. The simulated payment takes 4242 4242 4242 4242 and the other numbers that Stripe documents for tests.',
);
const notAuthenticated = declined('The payment was not authenticated.');

function declined(error: string): SimulatedPayment {
  return { status: 'requires_payment_method', error };
}

export function createSimulatedProvider(database: SystemDatabase): SimulatedProvider {
  return {
    name: 'simulated',
    publishableKey: null,
    createIntent: ({ amountCents, idempotencyKey }) => createIntent(database, amountCents, idempotencyKey),
    async readIntent(intentId) {
      const [row] = await database.select().from(simulatedIntents).where(eq(simulatedIntents.id, intentId));
      return row ? toProviderIntent(row) : null;
    },
    readEvent() {
      throw new SignatureRefusedError('the simulated provider sends no events');
    },
    pay: (clientSecret, paymentMethod) =>
      settle(database, clientSecret, outcomes[paymentMethod.replaceAll(' ', '')] ?? unknownCard),
    authenticate: (clientSecret, isApproved) =>
      settle(database, clientSecret, isApproved ? { status: 'succeeded', error: null } : notAuthenticated, {
        mustBeAsked: true,
      }),
  };
}

async function createIntent(
  database: SystemDatabase,
  amountCents: number,
  idempotencyKey: string,
): Promise<ProviderIntent> {
  const id = `pi_simulated_${randomBytes(12).toString('hex')}`;
  const clientSecret = `${id}_secret_${randomBytes(12).toString('hex')}`;
  await database
    .insert(simulatedIntents)
    .values({ id, clientSecret, idempotencyKey, amountCents })
    .onConflictDoNothing();
  const [row] = await database
    .select()
    .from(simulatedIntents)
    .where(eq(simulatedIntents.idempotencyKey, idempotencyKey));
  if (!row) throw new Error('the intent that was just made is gone');
  return toProviderIntent(row);
}

/** What has succeeded stays so, however often it is paid. */
async function settle(
  database: SystemDatabase,
  clientSecret: string,
  { status, error }: SimulatedPayment,
  { mustBeAsked = false } = {},
): Promise<SimulatedPayment | null> {
  const ofSecret = eq(simulatedIntents.clientSecret, clientSecret);
  await database
    .update(simulatedIntents)
    .set({ status, failure: error })
    .where(
      and(
        ofSecret,
        mustBeAsked
          ? eq(simulatedIntents.status, 'requires_action')
          : ne(simulatedIntents.status, 'succeeded'),
      ),
    );
  const [row] = await database.select().from(simulatedIntents).where(ofSecret);
  return row ? { status: row.status, error: row.failure } : null;
}

function toProviderIntent({
  id,
  clientSecret,
  amountCents,
  status,
  failure,
}: typeof simulatedIntents.$inferSelect): ProviderIntent {
  const hasFailed = status === 'requires_payment_method' && failure !== null;
  return {
    id,
    clientSecret,
    status: status === 'succeeded' ? 'succeeded' : hasFailed ? 'failed' : 'pending',
    amountCents,
    failure,
    refunds: [],
    disputes: [],
  };
}
