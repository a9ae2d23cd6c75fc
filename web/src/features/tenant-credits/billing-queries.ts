import {
  billingRoutes,
  type PaymentMethod,
  paymentMethodsRoutes,
  paymentsRoutes,
  type Subscription,
  subscriptionsRoutes,
} from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';

const billing = createApiClient(billingRoutes);
const cards = createApiClient(paymentMethodsRoutes);
const payments = createApiClient(paymentsRoutes);
const subscriptions = createApiClient(subscriptionsRoutes);

/** Shared with the tenant credit queries, because credits depend on the plan. */
const key = 'tenant-credits';

export const billingMetricsQuery = queryOptions({
  queryKey: [key, 'billing-metrics'],
  queryFn: ({ signal }) => billing.getBillingMetrics(undefined, { signal }),
});

export const billedTenantsQuery = queryOptions({
  queryKey: [key, 'billed-tenants'],
  queryFn: ({ signal }) => billing.listBilledTenants(undefined, { signal }),
});

export const fetchBillingFile = (onHeaders: (headers: Headers) => void): Promise<Blob> =>
  billing.exportBilledTenants(undefined, { onHeaders });

export const subscriptionQuery = queryOptions({
  queryKey: [key, 'subscription'],
  queryFn: ({ signal }) => subscriptions.getSubscription(undefined, { signal }),
});

export const paymentMethodsQuery = queryOptions({
  queryKey: [key, 'payment-methods'],
  queryFn: ({ signal }) => cards.listPaymentMethods(undefined, { signal }),
});

/** Refetches dependent queries, including the banners. */
function useBillingChange<Input, Result>(change: (input: Input) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: [key] }),
        queryClient.invalidateQueries({ queryKey: ['status'] }),
      ]);
    },
  });
}

/** If `tenantId` is `undefined`, the user's own tenant is changed. */
export const useChangePlan = (tenantId: number | undefined) =>
  useBillingChange(
    (plan_id: string): Promise<Subscription> =>
      tenantId === undefined
        ? subscriptions.changeSubscription({ body: { plan_id } })
        : subscriptions.changeTenantSubscription({ params: { id: tenantId }, body: { plan_id } }),
  );

export const useCancelSubscription = (tenantId: number | undefined) =>
  useBillingChange(
    (): Promise<Subscription> =>
      tenantId === undefined
        ? subscriptions.cancelSubscription()
        : subscriptions.cancelTenantSubscription({ params: { id: tenantId } }),
  );

export const usePaySubscription = () => useBillingChange(() => subscriptions.paySubscription());

export const useAddPaymentMethod = () =>
  useBillingChange(
    (payment_method_id: string): Promise<PaymentMethod> =>
      cards.addPaymentMethod({ body: { payment_method_id } }),
  );

export const useRemovePaymentMethod = () =>
  useBillingChange((id: string) => cards.removePaymentMethod({ params: { id } }));

export const useSetDefaultPaymentMethod = () =>
  useBillingChange((id: string) => cards.setDefaultPaymentMethod({ params: { id } }));

export const createSetupIntent = () => payments.createSetupIntent();

export const confirmSimulatedSetup = (client_secret: string, payment_method: string) =>
  payments.confirmSimulatedSetup({ body: { client_secret, payment_method } });

export const authenticateSimulatedSetup = (client_secret: string, is_approved: boolean) =>
  payments.authenticateSimulatedSetup({ body: { client_secret, is_approved } });
