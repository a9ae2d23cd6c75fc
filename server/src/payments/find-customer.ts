import { and, asc, eq } from 'drizzle-orm';
import type { Actor } from '#db/actor.ts';
import { paymentCustomers } from '#db/schema/payments.ts';
import { tenants } from '#db/schema/tenants.ts';
import { users } from '#db/schema/users.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import type { PaymentProvider } from './payment-provider.ts';

const ofTenant = (provider: PaymentProvider, tenantId: number) =>
  and(eq(paymentCustomers.tenantId, tenantId), eq(paymentCustomers.provider, provider.name));

/** Returns `null` if the tenant never had a card or subscription at the provider. */
export async function findCustomer(
  database: SystemDatabase,
  provider: PaymentProvider,
  tenantId: number,
): Promise<string | null> {
  const [row] = await database.select().from(paymentCustomers).where(ofTenant(provider, tenantId));
  return row?.customerId ?? null;
}

/** Returns the tenant's customer at the provider. Creates a missing customer as a change by the caller. */
export async function requireCustomer(
  database: SystemDatabase,
  provider: PaymentProvider,
  { tenantId, actor }: { readonly tenantId: number; readonly actor: Actor },
): Promise<string> {
  const known = await findCustomer(database, provider, tenantId);
  if (known !== null) return known;
  const [tenant] = await database
    .select({ name: tenants.name, createdAt: tenants.createdAt, email: users.email })
    .from(tenants)
    .innerJoin(users, eq(users.tenantId, tenants.id))
    .where(and(eq(tenants.id, tenantId), eq(users.kind, 'person'), users.isActive))
    // Selects the most senior administrator, since role ids are sorted from the highest role down.
    .orderBy(asc(users.roleId), asc(users.id))
    .limit(1);
  if (!tenant) throw new Error(`the tenant ${tenantId} has no users`);
  const customerId = await provider.createCustomer({
    email: tenant.email,
    name: tenant.name,
    idempotencyKey: `sluice-customer-${tenantId}-${tenant.createdAt.getTime()}-${tenant.email}`,
  });
  await changeAs(database, actor, (tx) =>
    tx
      .insert(paymentCustomers)
      .values({ tenantId, provider: provider.name, customerId })
      .onConflictDoNothing(),
  );
  return (await findCustomer(database, provider, tenantId)) ?? customerId;
}

/** Stores the names of a tenant's cards for the audit log. */
export async function noteCards(
  database: SystemDatabase,
  provider: PaymentProvider,
  { tenantId, actor }: { readonly tenantId: number; readonly actor: Actor },
  customerId: string,
): Promise<void> {
  const cards = (await provider.listPaymentMethods(customerId)).map(
    ({ brand, last4, isDefault }) => `${brand} ${last4}${isDefault ? ' (default)' : ''}`,
  );
  await changeAs(database, actor, (tx) =>
    tx.update(paymentCustomers).set({ cards }).where(ofTenant(provider, tenantId)),
  );
}
