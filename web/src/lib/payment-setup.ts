import { paymentsRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from './api.ts';

const calls = createApiClient(paymentsRoutes);

export const paymentSetupQuery = queryOptions({
  queryKey: ['payment-setup'],
  queryFn: ({ signal }) => calls.getPaymentSetup(undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
