import { randomBytes } from 'node:crypto';
import type { SimulatedPayment } from '@sluice/contract';
import { and, eq, ne } from 'drizzle-orm';
import { simulatedIntents } from '#db/schema/simulated-payments.ts';
import type { SystemDatabase } from '#db/system.ts';
import { type PaymentProvider, type ProviderIntent, SignatureRefusedError } from './payment-provider.ts';
import { createSimulatedCards, type SimulatedCards } from './simulated-cards.ts';
import { createSimulatedSubscriptions } from './simulated-subscriptions.ts';
import { declined, findTestCard, unknownCard } from './simulated-test-cards.ts';

/** Simulated payment provider for demos. Charges nothing and accepts Stripe's test cards. */
export interface SimulatedProvider extends PaymentProvider, SimulatedCards {
  /** Returns `null` if no intent has this secret. */
  pay(clientSecret: string, paymentMethod: string): Promise<SimulatedPayment | null>;
  authenticate(clientSecret: string, isApproved: boolean): Promise<SimulatedPayment | null>;
}

const notAuthenticated = declined('The payment was not authenticated.');

export function createSimulatedProvider(database: SystemDatabase): SimulatedProvider {
  return {
    ...createSimulatedCards(database),
    ...createSimulatedSubscriptions(database),
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
      settle(database, clientSecret, findTestCard(paymentMethod)?.onUse ?? unknownCard),
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
  if (!row) throw new Error('the new intent was not found');
  return toProviderIntent(row);
}

/** Paying a succeeded intent again changes nothing. */
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
    foreignCurrencies: [],
  };
}
