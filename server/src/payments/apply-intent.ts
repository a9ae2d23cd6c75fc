import { and, eq, sql } from 'drizzle-orm';
import type { Actor } from '#db/actor.ts';
import { payments } from '#db/schema/payments.ts';
import { changeAs, readClock, type SystemDatabase } from '#db/system.ts';
import { postEntries } from '#ledger/post.ts';
import { listDueEntries, type Payment } from './payment-entries.ts';
import type { PaymentProvider } from './payment-provider.ts';

/**
 * Reads a payment at the provider and books the difference to the tenant's credits, whatever the order and number of
 * calls. Returns the updated payment; `undefined` for an intent without a payment here.
 * @throws Error if a refund or dispute is not in US dollars; everything else is booked
 */
export async function applyIntent(
  database: SystemDatabase,
  provider: PaymentProvider,
  intentId: string,
  actor?: Actor,
): Promise<Payment | undefined> {
  const ofIntent = and(eq(payments.provider, provider.name), eq(payments.intentId, intentId));
  const [known] = await database.select().from(payments).where(ofIntent);
  if (!known) return undefined;
  const readAt = await readClock(database);
  const intent = await provider.readIntent(intentId);
  if (!intent) throw new Error(`the payment provider has no intent ${intentId}`);
  const book = async (tx: SystemDatabase) => {
    const isNewest = sql<boolean>`${payments.checkedAt} <= ${readAt}::timestamptz`;
    const [row] = await tx
      .select({ payment: payments, isNewest })
      .from(payments)
      .where(ofIntent)
      .for('update');
    if (!row) return undefined;
    const { payment } = row;
    // A reading that began later includes everything in this one.
    if (!row.isNewest) return payment;
    await postEntries(tx, await listDueEntries(tx, payment, intent));
    const status = payment.status === 'succeeded' ? payment.status : intent.status;
    const [changed] = await tx
      .update(payments)
      .set({
        status,
        failure: status === 'succeeded' ? null : intent.failure,
        checkedAt: sql`${readAt}::timestamptz`,
      })
      .where(ofIntent)
      .returning();
    return changed;
  };
  const payment = await (actor ? changeAs(database, actor, book) : database.transaction(book));
  const [foreign] = intent.foreignCurrencies;
  if (foreign) throw new Error(`the payment provider reports ${foreign}; only US dollars can be booked`);
  return payment;
}
