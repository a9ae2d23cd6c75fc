import { and, eq } from 'drizzle-orm';
import {
  simulatedCustomers,
  simulatedPaymentMethods,
  simulatedSubscriptions,
} from '#db/schema/simulated-payments.ts';
import type { SystemDatabase } from '#db/system.ts';
import {
  PaymentRefusedError,
  type ProviderSubscription,
  type SubscriptionDraft,
  type SubscriptionProvider,
} from './payment-provider.ts';
import { findChargeProblem, newId } from './simulated-cards.ts';

type Subscription = typeof simulatedSubscriptions.$inferSelect;

interface Charge {
  readonly hasPaymentMethod: boolean;
  readonly problem: string | null;
}

/** Moves no money. Subscriptions renew when they are read, based on the clock. */
export function createSimulatedSubscriptions(database: SystemDatabase): SubscriptionProvider {
  const change = (id: string, work: (subscription: Subscription, charge: Charge) => Subscription) =>
    changeSubscription(database, id, work);
  return {
    createSubscription: (draft) => createSubscription(database, draft),
    readSubscription: (id) => readSubscription(database, id, (subscription) => subscription),
    changeSubscriptionPlan: (id, { id: planId }) =>
      change(id, (subscription) => {
        refuseEnded(subscription);
        return { ...subscription, planId, isCanceledAtPeriodEnd: false };
      }),
    cancelSubscription: (id) =>
      change(id, (subscription) => {
        refuseEnded(subscription);
        return subscription.status === 'past_due'
          ? { ...subscription, status: 'canceled', endedAt: new Date(), unpaidSince: null, failure: null }
          : { ...subscription, isCanceledAtPeriodEnd: true };
      }),
    payUnpaid: (id) =>
      change(id, (subscription, { problem }) => {
        if (subscription.status !== 'past_due') return subscription;
        if (problem !== null) throw new PaymentRefusedError(problem);
        return { ...subscription, status: 'active', unpaidSince: null, failure: null };
      }),
  };
}

function refuseEnded({ status }: Subscription): void {
  if (status === 'canceled') throw new PaymentRefusedError('The subscription has ended.');
}

async function createSubscription(
  database: SystemDatabase,
  { customerId, plan, trialEndsAt, idempotencyKey }: SubscriptionDraft,
): Promise<ProviderSubscription> {
  const ofKey = eq(simulatedSubscriptions.idempotencyKey, idempotencyKey);
  const [known] = await database.select().from(simulatedSubscriptions).where(ofKey);
  const { problem } = await findCharge(database, customerId);
  if (!known && !trialEndsAt && problem !== null) throw new PaymentRefusedError(problem);
  await database
    .insert(simulatedSubscriptions)
    .values({
      id: newId('sub'),
      idempotencyKey,
      customerId,
      planId: plan.id,
      status: trialEndsAt ? 'trialing' : 'active',
      trialEndsAt,
      periodEndsAt: trialEndsAt ?? addMonth(new Date()),
    })
    .onConflictDoNothing();
  const [row] = await database.select().from(simulatedSubscriptions).where(ofKey);
  if (!row) throw new Error('the new subscription was not found');
  return changeSubscription(database, row.id, (subscription) => subscription);
}

async function changeSubscription(
  database: SystemDatabase,
  id: string,
  work: (subscription: Subscription, charge: Charge) => Subscription,
): Promise<ProviderSubscription> {
  const changed = await readSubscription(database, id, work);
  if (!changed) throw new PaymentRefusedError(`No such subscription: '${id}'`);
  return changed;
}

async function readSubscription(
  database: SystemDatabase,
  id: string,
  work: (subscription: Subscription, charge: Charge) => Subscription,
): Promise<ProviderSubscription | null> {
  return database.transaction(async (tx) => {
    const ofId = eq(simulatedSubscriptions.id, id);
    const [row] = await tx.select().from(simulatedSubscriptions).where(ofId).for('update');
    if (!row) return null;
    const charge = await findCharge(tx, row.customerId);
    const changed = work(renew(row, charge, new Date()), charge);
    const { id: _id, ...values } = changed;
    await tx.update(simulatedSubscriptions).set(values).where(ofId);
    return toSubscription(changed, charge);
  });
}

/** Applies the ends of trials and months since the last read. */
export function renew(subscription: Subscription, { problem }: Charge, now: Date): Subscription {
  let renewed = subscription;
  while (renewed.status !== 'canceled' && renewed.periodEndsAt <= now) {
    const { periodEndsAt, unpaidSince } = renewed;
    if (renewed.isCanceledAtPeriodEnd) return { ...renewed, status: 'canceled', endedAt: periodEndsAt };
    renewed = {
      ...renewed,
      ...(problem === null && unpaidSince === null
        ? { status: 'active' as const }
        : { status: 'past_due' as const, unpaidSince: unpaidSince ?? periodEndsAt, failure: problem }),
      periodEndsAt: addMonth(periodEndsAt),
    };
  }
  return renewed;
}

async function findCharge(database: SystemDatabase, customerId: string): Promise<Charge> {
  const [method] = await database
    .select({ method: simulatedPaymentMethods })
    .from(simulatedCustomers)
    .innerJoin(
      simulatedPaymentMethods,
      and(
        eq(simulatedPaymentMethods.id, simulatedCustomers.defaultPaymentMethodId),
        eq(simulatedPaymentMethods.customerId, simulatedCustomers.id),
      ),
    )
    .where(eq(simulatedCustomers.id, customerId));
  if (!method) return { hasPaymentMethod: false, problem: 'No card is saved for the payment.' };
  return { hasPaymentMethod: true, problem: findChargeProblem(method.method) };
}

/** Returns the same day of the next month, or the last day of a shorter month. */
function addMonth(date: Date): Date {
  const next = new Date(date);
  next.setUTCDate(1);
  next.setUTCMonth(next.getUTCMonth() + 1);
  const lastDay = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0)).getUTCDate();
  next.setUTCDate(Math.min(date.getUTCDate(), lastDay));
  return next;
}

function toSubscription(
  { id, customerId, planId, status, ...dates }: Subscription,
  { hasPaymentMethod }: Charge,
): ProviderSubscription {
  return {
    id,
    customerId,
    planId,
    status,
    hasPaymentMethod,
    trialEndsAt: dates.trialEndsAt,
    periodEndsAt: dates.periodEndsAt,
    endsAt: dates.endedAt ?? (dates.isCanceledAtPeriodEnd ? dates.periodEndsAt : null),
    unpaidSince: dates.unpaidSince,
    failure: dates.failure,
  };
}
