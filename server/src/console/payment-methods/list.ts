import type { PaymentMethod } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { findCustomer } from '#payments/find-customer.ts';
import { type CardDeps, toPaymentMethod } from './change.ts';

/** Lists the cards of the caller's tenant at the payment provider. */
export async function listPaymentMethods(
  { system, provider }: CardDeps,
  { principal }: SignedInContext,
): Promise<PaymentMethod[]> {
  const customerId = await findCustomer(system, provider, principal.tenantId);
  if (customerId === null) return [];
  return (await provider.listPaymentMethods(customerId)).map(toPaymentMethod);
}
