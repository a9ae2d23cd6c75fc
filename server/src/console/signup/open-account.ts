import { addFirstAdministrator } from '#console/tenants/add-first-administrator.ts';
import { addTenant } from '#console/tenants/add-tenant.ts';
import type { SystemDatabase } from '#db/system.ts';
import { applySubscription } from '#payments/apply-subscription.ts';
import type { PaymentProvider } from '#payments/payment-provider.ts';
import { startSubscription, trialDays } from '#payments/start-subscription.ts';
import type { Logger } from '#platform/logger.ts';

export interface OpenAccountDeps {
  readonly system: SystemDatabase;
  readonly provider: PaymentProvider;
  readonly hasSandbox: boolean;
  readonly log: Logger;
}

export interface NewAccount {
  readonly email: string;
  readonly name: string;
  /** Empty: the tenant is named after the person. */
  readonly companyName: string;
  readonly passwordHash: string;
  readonly planId: string;
  /** At the payment provider, with the card. */
  readonly customerId: string;
}

/**
 * Creates a tenant on trial with its first administrator and its subscription; returns the tenant's id.
 * @throws ConsoleError 422 on `email` when a user has the address
 */
export async function openAccount(
  { provider, hasSandbox }: OpenAccountDeps,
  tx: SystemDatabase,
  { email, name, companyName, passwordHash, planId, customerId }: NewAccount,
): Promise<number> {
  const tenantId = await addTenant(tx, { name: companyName || name, status: 'trial', planId, hasSandbox });
  await addFirstAdministrator(tx, tenantId, { role: 'admin', email, name, passwordHash });
  await startSubscription(tx, { tenantId, planId, provider: provider.name, customerId, trialDays });
  return tenantId;
}

/** Starts the subscription at the provider. The account exists either way: a job repeats what fails here. */
export async function tellProvider(
  { system, provider, log }: OpenAccountDeps,
  tenantId: number,
): Promise<void> {
  try {
    await applySubscription(system, provider, tenantId);
  } catch (error) {
    log.error({ error, tenantId }, 'the payment provider could not be told of a new subscription yet');
  }
}
