import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import type { Actor } from '#db/actor.ts';
import { plans, subscriptions } from '#db/schema/subscriptions.ts';
import { tenants } from '#db/schema/tenants.ts';
import { changeAs, readClock, type SystemDatabase } from '#db/system.ts';
import { findStanding } from '#domain/subscription-standing.ts';
import {
  type PaymentProvider,
  PaymentRefusedError,
  type ProviderPlan,
  type ProviderSubscription,
} from './payment-provider.ts';
import { showSubscription } from './show-subscription.ts';

const nanoUsdPerCent = 10_000_000n;

export function toProviderPlan({ id, name, priceMonthly }: typeof plans.$inferSelect): ProviderPlan {
  return { id, name, monthlyCents: Number(priceMonthly / nanoUsdPerCent) };
}

export type Subscription = typeof subscriptions.$inferSelect;

/**
 * Reads a tenant's subscription from the provider, or starts it there, and updates the tenant, regardless of the
 * order and number of events. Returns `undefined` if the tenant has no subscription at this provider.
 * @throws PaymentRefusedError if the provider does not start the subscription, which is then canceled
 */
export async function applySubscription(
  database: SystemDatabase,
  provider: PaymentProvider,
  tenantId: number,
  actor?: Actor,
): Promise<Subscription | undefined> {
  const ofTenant = and(eq(subscriptions.tenantId, tenantId), eq(subscriptions.provider, provider.name));
  const [known] = await database.select().from(subscriptions).where(ofTenant);
  if (!known || (known.subscriptionId === null && known.status === 'canceled')) return known;
  const readAt = await readClock(database);
  const current = await (known.subscriptionId === null
    ? begin(database, provider, known)
    : provider.readSubscription(known.subscriptionId));
  if (!current) throw new Error(`the payment provider has no subscription ${known.subscriptionId}`);
  const book = async (tx: SystemDatabase) => {
    // Concurrent readings may commit in any order. The latest reading counts.
    const [row] = await tx
      .update(subscriptions)
      .set({ ...toValues(current), checkedAt: sql`${readAt}::timestamptz` })
      .where(
        and(
          ofTenant,
          eq(subscriptions.startedAt, known.startedAt),
          sql`${subscriptions.checkedAt} <= ${readAt}::timestamptz`,
        ),
      )
      .returning();
    if (row) await changeTenant(tx, row, current.planId);
    const [latest] = await tx.select().from(subscriptions).where(ofTenant);
    return latest;
  };
  return actor ? changeAs(database, actor, book) : database.transaction(book);
}

/** Ignores unknown customers. */
export async function applySubscriptionOfCustomer(
  database: SystemDatabase,
  provider: PaymentProvider,
  customerId: string,
): Promise<void> {
  const [row] = await database
    .select({ tenantId: subscriptions.tenantId })
    .from(subscriptions)
    .where(and(eq(subscriptions.provider, provider.name), eq(subscriptions.customerId, customerId)));
  if (row) await applySubscription(database, provider, row.tenantId);
}

async function begin(
  database: SystemDatabase,
  provider: PaymentProvider,
  { tenantId, planId, customerId, trialEndsAt, startedAt }: Subscription,
): Promise<ProviderSubscription> {
  const [plan] = await database.select().from(plans).where(eq(plans.id, planId));
  if (!plan) throw new Error(`there is no plan ${planId}`);
  try {
    return await provider.createSubscription({
      customerId,
      plan: toProviderPlan(plan),
      trialEndsAt: trialEndsAt && trialEndsAt > new Date() ? trialEndsAt : null,
      idempotencyKey: `sluice-subscription-${tenantId}-${startedAt.getTime()}`,
    });
  } catch (error) {
    if (error instanceof PaymentRefusedError)
      await database
        .update(subscriptions)
        .set({ status: 'canceled', endsAt: sql`now()`, failure: error.message })
        .where(and(eq(subscriptions.tenantId, tenantId), eq(subscriptions.startedAt, startedAt)));
    throw error;
  }
}

function toValues({ id, status, ...current }: ProviderSubscription) {
  return {
    subscriptionId: id,
    status,
    // A canceled subscription needs no card and is no longer checked.
    hasPaymentMethod: status !== 'canceled' && current.hasPaymentMethod,
    trialEndsAt: current.trialEndsAt,
    periodEndsAt: current.periodEndsAt,
    endsAt: current.endsAt,
    unpaidSince: current.unpaidSince,
    failure: current.failure,
  };
}

/** The plan may have changed at the provider, or through a node that died before recording the change. */
async function changeTenant(tx: SystemDatabase, row: Subscription, planId: string | null): Promise<void> {
  const { tenantId } = row;
  const now = new Date();
  const { tenantStatus } = findStanding(row, now);
  await showSubscription(tx, row, now);
  await tx
    .update(tenants)
    .set({
      status: tenantStatus,
      suspensionReason: tenantStatus === 'suspended' ? findSuspensionReason(row) : null,
    })
    // A super administrator's suspension of a tenant remains in effect, regardless of payments.
    .where(and(eq(tenants.id, tenantId), ne(tenants.status, tenantStatus), isNull(tenants.suspendedBy)));
  const [plan] = planId === null || planId === row.planId ? [] : await findPlan(tx, planId);
  if (!plan) return;
  await tx.update(subscriptions).set({ planId: plan.id }).where(eq(subscriptions.tenantId, tenantId));
  await tx
    .update(tenants)
    .set({ planId: plan.id, userLimit: plan.userLimit, adminLimit: plan.adminLimit })
    .where(eq(tenants.id, tenantId));
}

function findSuspensionReason({ status, hasPaymentMethod, failure }: Subscription): string {
  if (status === 'canceled') return 'Its subscription has ended';
  if (!hasPaymentMethod) return 'Its trial has ended, and there is no card to pay with';
  return `Its plan could not be paid${failure === null ? '' : ` (${failure})`}`;
}

function findPlan(tx: SystemDatabase, planId: string) {
  return tx.select().from(plans).where(eq(plans.id, planId));
}
