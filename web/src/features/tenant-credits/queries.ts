import {
  billingRoutes,
  type bookTransactionBody,
  type CreditBalance,
  type CreditTransaction,
  creditsRoutes,
  paymentsRoutes,
  type Tenant,
  type TransactionType,
  tenantsRoutes,
} from '@sluice/contract';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { createApiClient } from '#lib/api.ts';

const billing = createApiClient(billingRoutes);
const credits = createApiClient(creditsRoutes);
const payments = createApiClient(paymentsRoutes);
const tenants = createApiClient(tenantsRoutes);

export type TenantAccount = Tenant & CreditBalance;

const key = 'tenant-credits';

/** Returns all tenants for super administrators, or the user's own account. */
export const tenantAccountsQuery = (isOperator: boolean) =>
  queryOptions({
    queryKey: [key, 'accounts', isOperator],
    queryFn: ({ signal }): Promise<TenantAccount[]> =>
      isOperator ? billing.listBilledTenants(undefined, { signal }) : readOwnAccount(signal),
  });

async function readOwnAccount(signal: AbortSignal): Promise<TenantAccount[]> {
  const [tenant, balance] = await Promise.all([
    tenants.getMyTenant(undefined, { signal }),
    credits.getMyTenantBalance(undefined, { signal }),
  ]);
  return [{ ...tenant, ...balance }];
}

/** `null` means no filter. */
export interface TransactionFilters {
  type: TransactionType | null;
  days: number | null;
}

const transactionsPageSize = 100;

/** Each page starts after the last row of the previous one. */
export const transactionsQuery = (tenantId: number | undefined, { type, days }: TransactionFilters) =>
  infiniteQueryOptions({
    queryKey: [key, 'transactions', tenantId, type, days],
    queryFn: async ({ signal, pageParam: before }) => {
      const limit = transactionsPageSize;
      const query = { limit, before, ...(type && { transaction_type: type }), ...(days && { days }) };
      const answer = await credits.listMyTenantTransactions({ query }, { signal, ...about(tenantId) });
      return answer.transactions;
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last: CreditTransaction[]) =>
      last.length < transactionsPageSize ? undefined : last.at(-1)?.id,
  });

/** Uses the entries of the last `days`, or all entries if `days` is `null`. */
export const proofQuery = (tenantId: number | undefined, days: number | null) =>
  queryOptions({
    queryKey: [key, 'proof', tenantId, days],
    queryFn: ({ signal }) =>
      credits.proveMyTenantBalance({ query: days === null ? {} : { days } }, { signal, ...about(tenantId) }),
    // Always refetched, because a derivation is valid only at the time of the request.
    staleTime: 0,
  });

export function useBookTransaction(tenantId: number | undefined) {
  const refresh = useRefreshCredits();
  return useMutation({
    mutationFn: (body: z.output<typeof bookTransactionBody>) =>
      credits.bookCreditTransaction({ body }, about(tenantId)),
    onSuccess: refresh,
  });
}

const about = (tenantId: number | undefined) => (tenantId === undefined ? {} : { tenantId });

interface NewPayment {
  tenantId: number | undefined;
  amount: number;
  description: string;
  idempotencyKey: string;
}

export const useCreatePayment = () =>
  useMutation({
    mutationFn: ({ tenantId, amount, description, idempotencyKey }: NewPayment) =>
      payments.createPaymentIntent(
        { query: { amount, ...(description !== '' && { description }) } },
        { idempotencyKey, ...about(tenantId) },
      ),
  });

export const useConfirmPayment = () =>
  useMutation({
    mutationFn: ({ tenantId, intentId }: { tenantId: number | undefined; intentId: string }) =>
      payments.confirmPayment({ query: { payment_intent_id: intentId } }, about(tenantId)),
  });

export const paySimulated = (clientSecret: string, cardNumber: string) =>
  payments.paySimulated({ body: { client_secret: clientSecret, payment_method: cardNumber } });

export const authenticateSimulated = (clientSecret: string, isApproved: boolean) =>
  payments.authenticateSimulated({ body: { client_secret: clientSecret, is_approved: isApproved } });

export function useRefreshCredits() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: [key] });
}

export function useSetThreshold(tenantId: number | undefined) {
  const refresh = useRefreshCredits();
  return useMutation({
    mutationFn: (threshold: number) =>
      credits.setLowBalanceThreshold({ body: { threshold } }, about(tenantId)),
    onSuccess: refresh,
  });
}

export function useSetSpending(tenantId: number | undefined) {
  const refresh = useRefreshCredits();
  return useMutation({
    mutationFn: (isOn: boolean) =>
      credits.setServiceSpending({ params: { flag: isOn ? 'true' : 'false' } }, about(tenantId)),
    onSuccess: refresh,
  });
}
