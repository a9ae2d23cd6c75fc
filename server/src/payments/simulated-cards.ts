import { createHash, randomBytes } from 'node:crypto';
import type { SimulatedSetup } from '@sluice/contract';
import { and, desc, eq, inArray, isNull } from 'drizzle-orm';
import {
  simulatedCustomers,
  simulatedPaymentMethods,
  simulatedSetupIntents,
} from '#db/schema/simulated-payments.ts';
import type { SystemDatabase } from '#db/system.ts';
import {
  type CardProvider,
  type CustomerDraft,
  PaymentRefusedError,
  type ProviderPaymentMethod,
  type ProviderSetupIntent,
  type SetupIntentDraft,
  unknownPaymentMethod,
} from './payment-provider.ts';
import { declined, findTestCard, type TestCard, unknownCard } from './simulated-test-cards.ts';

export interface SimulatedCards extends CardProvider {
  /** Returns `null` if no intent has this secret. */
  confirmSetup(clientSecret: string, paymentMethod: string): Promise<SimulatedSetup | null>;
  authenticateSetup(clientSecret: string, isApproved: boolean): Promise<SimulatedSetup | null>;
}

type PaymentMethod = typeof simulatedPaymentMethods.$inferSelect;

export function createSimulatedCards(database: SystemDatabase): SimulatedCards {
  return {
    createCustomer: (draft) => createCustomer(database, draft),
    createSetupIntent: (draft) => createSetupIntent(database, draft),
    readSetupIntent: (id) => readSetupIntent(database, id),
    attachPaymentMethod: (customerId, id, idempotencyKey) => attach(database, customerId, id, idempotencyKey),
    listPaymentMethods: (customerId) => listPaymentMethods(database, customerId),
    async detachPaymentMethod(id) {
      const isDefault = eq(simulatedCustomers.defaultPaymentMethodId, id);
      await database.update(simulatedCustomers).set({ defaultPaymentMethodId: null }).where(isDefault);
      await database.delete(simulatedPaymentMethods).where(eq(simulatedPaymentMethods.id, id));
    },
    setDefaultPaymentMethod: (customerId, id) => setDefault(database, customerId, id),
    confirmSetup: (clientSecret, paymentMethod) => confirmSetup(database, clientSecret, paymentMethod),
    authenticateSetup: (clientSecret, isApproved) => authenticateSetup(database, clientSecret, isApproved),
  };
}

async function createCustomer(database: SystemDatabase, draft: CustomerDraft): Promise<string> {
  await database
    .insert(simulatedCustomers)
    .values({ id: newId('cus'), ...draft })
    .onConflictDoNothing();
  const ofKey = eq(simulatedCustomers.idempotencyKey, draft.idempotencyKey);
  const [row] = await database.select().from(simulatedCustomers).where(ofKey);
  if (!row) throw new Error('the new customer was not found');
  return row.id;
}

async function createSetupIntent(database: SystemDatabase, draft: SetupIntentDraft) {
  const id = newId('seti');
  await database
    .insert(simulatedSetupIntents)
    .values({ id, clientSecret: `${id}_secret_${randomBytes(12).toString('hex')}`, ...draft })
    .onConflictDoNothing();
  const ofKey = eq(simulatedSetupIntents.idempotencyKey, draft.idempotencyKey);
  const [row] = await database.select().from(simulatedSetupIntents).where(ofKey);
  if (!row) throw new Error('the new setup intent was not found');
  return { id: row.id, clientSecret: row.clientSecret };
}

async function readSetupIntent(database: SystemDatabase, id: string): Promise<ProviderSetupIntent | null> {
  const [row] = await database.select().from(simulatedSetupIntents).where(eq(simulatedSetupIntents.id, id));
  if (!row) return null;
  const { status, failure, paymentMethodId, customerId } = row;
  const hasFailed = status === 'requires_payment_method' && failure !== null;
  return {
    id,
    status: status === 'succeeded' ? 'succeeded' : hasFailed ? 'failed' : 'pending',
    paymentMethodId,
    customerId,
  };
}

/** Confirming a succeeded intent again changes nothing. */
async function confirmSetup(
  database: SystemDatabase,
  clientSecret: string,
  paymentMethod: string,
): Promise<SimulatedSetup | null> {
  const card = findTestCard(paymentMethod);
  const { status, error } = card?.onUse ?? unknownCard;
  return changeSetup(database, clientSecret, async (tx, intent) => {
    if (intent.status === 'succeeded') return intent;
    if (!card || status === 'requires_payment_method')
      return { ...intent, status: 'requires_payment_method', failure: error };
    const method = await keepCard(tx, newId('pm'), card);
    if (status === 'succeeded' && intent.customerId) await join(tx, intent.customerId, method);
    return { ...intent, status, failure: null, paymentMethodId: method.id };
  });
}

async function authenticateSetup(
  database: SystemDatabase,
  clientSecret: string,
  isApproved: boolean,
): Promise<SimulatedSetup | null> {
  return changeSetup(database, clientSecret, async (tx, intent) => {
    if (intent.status !== 'requires_action') return intent;
    if (!isApproved)
      return { ...intent, ...declinedSetup('The card was not authenticated.'), paymentMethodId: null };
    const [method] = await tx
      .update(simulatedPaymentMethods)
      .set({ isAuthenticated: true })
      .where(eq(simulatedPaymentMethods.id, intent.paymentMethodId ?? ''))
      .returning();
    if (method && intent.customerId) await join(tx, intent.customerId, method);
    return { ...intent, status: 'succeeded', failure: null };
  });
}

function declinedSetup(reason: string) {
  const { status, error } = declined(reason);
  return { status, failure: error };
}

type SetupIntent = typeof simulatedSetupIntents.$inferSelect;

async function changeSetup(
  database: SystemDatabase,
  clientSecret: string,
  change: (tx: SystemDatabase, intent: SetupIntent) => Promise<SetupIntent>,
): Promise<SimulatedSetup | null> {
  return database.transaction(async (tx) => {
    const ofSecret = eq(simulatedSetupIntents.clientSecret, clientSecret);
    const [intent] = await tx.select().from(simulatedSetupIntents).where(ofSecret).for('update');
    if (!intent) return null;
    const { status, failure, paymentMethodId } = await change(tx, intent);
    await tx.update(simulatedSetupIntents).set({ status, failure, paymentMethodId }).where(ofSecret);
    return {
      status,
      error: failure,
      payment_method: status === 'succeeded' ? paymentMethodId : null,
    };
  });
}

/** The name of a test card creates a new card each time, as at Stripe. */
async function attach(
  database: SystemDatabase,
  customerId: string,
  id: string,
  idempotencyKey: string | undefined,
): Promise<ProviderPaymentMethod> {
  const newCardId = idempotencyKey === undefined ? newId('pm') : idOfKey(idempotencyKey);
  return database.transaction(async (tx) => {
    const [known] = await tx
      .select()
      .from(simulatedPaymentMethods)
      .where(inArray(simulatedPaymentMethods.id, [id, newCardId]))
      .for('update');
    if (known && known.customerId !== null && known.customerId !== customerId)
      throw new PaymentRefusedError(unknownPaymentMethod);
    const card = findTestCard(known?.cardNumber ?? id);
    if (!card) throw new PaymentRefusedError(unknownPaymentMethod);
    const problem = findProblem(card, known?.isAuthenticated ?? false);
    if (problem !== null) throw new PaymentRefusedError(problem);
    return join(tx, customerId, known ?? (await keepCard(tx, newCardId, card)));
  });
}

const needsHolder = 'The cardholder must authenticate the card first.';

function findProblem({ onUse }: TestCard, isAuthenticated: boolean): string | null {
  return onUse.status === 'requires_action' && !isAuthenticated ? needsHolder : onUse.error;
}

/** Returns why a card cannot be charged without the cardholder; `null` if it can be charged. */
export function findChargeProblem({ cardNumber, isAuthenticated }: PaymentMethod): string | null {
  const card = findTestCard(cardNumber);
  return card ? (findProblem(card, isAuthenticated) ?? card.failsLater) : unknownCard.error;
}

async function keepCard(tx: SystemDatabase, id: string, { number }: TestCard): Promise<PaymentMethod> {
  const [row] = await tx
    .insert(simulatedPaymentMethods)
    .values({ id, cardNumber: number, isAuthenticated: false })
    .onConflictDoNothing()
    .returning();
  if (row) return row;
  // Another request with the same idempotency key has stored the card in the meantime.
  const [kept] = await tx.select().from(simulatedPaymentMethods).where(eq(simulatedPaymentMethods.id, id));
  if (!kept) throw new Error('the card was not stored');
  return kept;
}

/** The card becomes the default if the customer does not have a default card. */
async function join(
  tx: SystemDatabase,
  customerId: string,
  method: PaymentMethod,
): Promise<ProviderPaymentMethod> {
  await tx
    .update(simulatedPaymentMethods)
    .set({ customerId })
    .where(eq(simulatedPaymentMethods.id, method.id));
  const ofCustomer = eq(simulatedCustomers.id, customerId);
  await tx
    .update(simulatedCustomers)
    .set({ defaultPaymentMethodId: method.id })
    .where(and(ofCustomer, isNull(simulatedCustomers.defaultPaymentMethodId)));
  const [customer] = await tx.select().from(simulatedCustomers).where(ofCustomer);
  return toPaymentMethod(method, customer?.defaultPaymentMethodId ?? null);
}

async function listPaymentMethods(database: SystemDatabase, customerId: string) {
  const rows = await database
    .select({ method: simulatedPaymentMethods, defaultId: simulatedCustomers.defaultPaymentMethodId })
    .from(simulatedPaymentMethods)
    .innerJoin(simulatedCustomers, eq(simulatedCustomers.id, simulatedPaymentMethods.customerId))
    .where(eq(simulatedCustomers.id, customerId))
    .orderBy(desc(simulatedPaymentMethods.createdAt), desc(simulatedPaymentMethods.id));
  return rows.map(({ method, defaultId }) => toPaymentMethod(method, defaultId));
}

async function setDefault(database: SystemDatabase, customerId: string, id: string): Promise<void> {
  await database
    .update(simulatedCustomers)
    .set({ defaultPaymentMethodId: id })
    .where(eq(simulatedCustomers.id, customerId));
}

/** Test cards expire at the end of the second next year. */
function toPaymentMethod(
  { id, cardNumber, createdAt }: PaymentMethod,
  defaultId: string | null,
): ProviderPaymentMethod {
  const { brand, last4 } = findTestCard(cardNumber) ?? { brand: 'card', last4: cardNumber.slice(-4) };
  const expYear = createdAt.getUTCFullYear() + 2;
  return { id, brand, last4, expMonth: 12, expYear, isDefault: id === defaultId };
}

export function newId(prefix: string): string {
  return `${prefix}_simulated_${randomBytes(12).toString('hex')}`;
}

function idOfKey(idempotencyKey: string): string {
  return `pm_simulated_${createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 24)}`;
}
