import type { paymentMethodsRoutes } from '@sluice/contract';
import { requireProvider } from '#console/payments/require-provider.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Handlers } from '#http/console-route.ts';
import type { PaymentProvider } from '#payments/payment-provider.ts';
import {
  addPaymentMethod,
  listPaymentMethods,
  removePaymentMethod,
  setDefaultPaymentMethod,
} from './methods.ts';

export function createPaymentMethodsHandlers({
  system,
  provider,
}: {
  readonly system: SystemDatabase;
  readonly provider: PaymentProvider | null;
}): Handlers<typeof paymentMethodsRoutes> {
  const deps = () => ({ system, provider: requireProvider(provider) });
  return {
    listPaymentMethods: async (ctx) => listPaymentMethods(deps(), ctx),
    addPaymentMethod: async (ctx, { body }) => addPaymentMethod(deps(), ctx, body.payment_method_id),
    removePaymentMethod: async (ctx, { params }) => removePaymentMethod(deps(), ctx, params.id),
    setDefaultPaymentMethod: async (ctx, { params }) => setDefaultPaymentMethod(deps(), ctx, params.id),
  };
}
