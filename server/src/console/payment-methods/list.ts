import type { PaymentMethod } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { findCustomer } from '#payments/find-customer.ts';
import { type CardDeps, toPaymentMethod } from './change.ts';

/** The cards of the caller's tenant, as the provider has them. */
export async function listPaymentMethods(
  { system, provider }: CardDeps,
  { principal }: SignedInContext,
): Promise<PaymentMethod[]> {
  const customerId = await findCustomer(system, provider, principal.tenantId);
  if (customerId === null) return [];
  return (await provider.listPaymentMethods(customerId)).map(toPaymentMethod);
}
