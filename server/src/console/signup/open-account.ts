import { addFirstAdministrator, addTenant } from '#console/tenants/add-tenant.ts';
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
  /** Name of the new tenant. If empty, the tenant is named after the user. */
  readonly companyName: string;
  readonly passwordHash: string;
  readonly planId: string;
  /** Customer at the payment provider that has the card. */
  readonly customerId: string;
}

/**
 * Returns the tenant's id.
 * @throws ConsoleError 422 on `email` if the email is already used
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

/** Starts the subscription at the payment provider. The account exists even if this fails, and a job retries it. */
export async function startAtProvider(
  { system, provider, log }: OpenAccountDeps,
  tenantId: number,
): Promise<void> {
  try {
    await applySubscription(system, provider, tenantId);
  } catch (error) {
    log.error({ error, tenantId }, 'could not create the new subscription at the payment provider yet');
  }
}
