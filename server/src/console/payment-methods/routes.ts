import type { paymentMethodsRoutes } from '@sluice/contract';
import { requireProvider } from '#console/payments/require-provider.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Handlers } from '#http/console-route.ts';
import { outside } from '#http/verbs.ts';
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
    listPaymentMethods: outside('asks a provider', async (ctx) => listPaymentMethods(deps(), ctx)),
    addPaymentMethod: outside('asks a provider', async (ctx, { body }) =>
      addPaymentMethod(deps(), ctx, body.payment_method_id),
    ),
    removePaymentMethod: outside('asks a provider', async (ctx, { params }) =>
      removePaymentMethod(deps(), ctx, params.id),
    ),
    setDefaultPaymentMethod: outside('asks a provider', async (ctx, { params }) =>
      setDefaultPaymentMethod(deps(), ctx, params.id),
    ),
  };
}
