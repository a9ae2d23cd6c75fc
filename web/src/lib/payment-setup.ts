import { paymentsRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from './api.ts';

const calls = createApiClient(paymentsRoutes);

/** Payment configuration of the installation. */
export const paymentSetupQuery = queryOptions({
  queryKey: ['payment-setup'],
  queryFn: ({ signal }) => calls.getPaymentSetup(undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
