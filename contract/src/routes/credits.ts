import { z } from 'zod';
import { decimalNumber } from '../decimal-number.ts';
import { whenAbsent } from '../describe-field-problem.ts';
import { id, instant } from '../ids.ts';
import { amountProblem, hasNanoUsd, usd, usdAmount } from '../money.ts';
import { pageBefore, pageLimit, pageSkip } from '../pagination.ts';
import { defineRoutes } from '../route.ts';
import { cheapestModel, modelName, modelPricing, priceEstimate, pricing, setPriceBody } from './pricing.ts';

/** A `deduction` is the cost of requests. */
export const transactionTypes = [
  'recharge',
  'deduction',
  'refund',
  'bonus',
  'penalty',
  'adjustment',
] as const;

export type TransactionType = (typeof transactionTypes)[number];

/** A low balance is at or below the tenant's threshold, a zero balance at or below 0. */
export const creditBalance = z.object({
  current_balance: usd,
  lifetime_spent: usd,
  lifetime_recharged: usd,
  last_transaction_at: instant.nullable(),
  is_low_balance: z.boolean(),
  is_zero_balance: z.boolean(),
  low_balance_threshold: usd,
  service_spending_enabled: z.boolean(),
});

export type CreditBalance = z.infer<typeof creditBalance>;

/** Amounts are positive, and their direction follows from the type. Only adjustments are signed. */
export const creditTransaction = z.object({
  id: z.number().int(),
  transaction_type: z.enum(transactionTypes),
  amount: usd,
  description: z.string(),
  created_at: instant,
  payment_method: z.string().nullable(),
  payment_reference: z.string().nullable(),
  provider_key: z.string().nullable(),
  model_name: z.string().nullable(),
  requests: z.number().int().nullable(),
  tokens_used: z.number().int().nullable(),
  original_transaction_id: z.number().int().nullable(),
  balance_before: usd,
  balance_after: usd,
});

export type CreditTransaction = z.infer<typeof creditTransaction>;

const days = decimalNumber(z.int().min(1).max(3650));

export const transactionFilters = {
  transaction_type: z.enum(transactionTypes).optional(),
  days: days.optional(),
  limit: pageLimit.default(100),
  before: pageBefore,
};

const reason = z
  .string(whenAbsent('A reason is required'))
  .trim()
  .min(1, 'A reason is required')
  .max(500, 'A reason must be at most 500 characters');

/** The description is shown to the tenant's administrators. */
export const rechargeBody = z.strictObject({
  amount: usdAmount.min(0.01, 'Please enter an amount of at least $0.01'),
  description: reason,
});

/** All other types are booked by payments, requests and refunds. */
export const bookedTransactionTypes = ['bonus', 'penalty', 'adjustment'] as const;

const signedUsd = z
  .number('Please enter an amount')
  .min(-1_000_000)
  .max(1_000_000)
  .refine(
    (dollars) => dollars !== 0 && hasNanoUsd(dollars),
    'An amount must not be zero and can have at most 9 decimals',
  );

/** Only adjustments are signed. The description is the reason. */
export const bookTransactionBody = z
  .strictObject({
    transaction_type: z.enum(bookedTransactionTypes),
    amount: signedUsd,
    description: reason,
  })
  .refine(({ transaction_type, amount }) => transaction_type === 'adjustment' || amount > 0, {
    path: ['amount'],
    message: amountProblem,
  });

/**
 * Amounts are in dollars. `held` is reserved for running and upcoming requests. `is_verified` is true if
 * `opening_balance` plus all bookings since `opened_at`, and the balance after the last entry, equal `current_balance`.
 */
export const balanceProof = z.object({
  opened_at: instant.nullable(),
  opening_balance: usd,
  recharges: usd,
  bonuses: usd,
  refunds: usd,
  adjustments: usd,
  deductions: usd,
  penalties: usd,
  current_balance: usd,
  held: usd,
  available_balance: usd,
  transactions: z.number().int(),
  is_verified: z.boolean(),
  verified_at: instant,
});

export type BalanceProof = z.infer<typeof balanceProof>;

export const creditSettings = creditBalance.pick({
  low_balance_threshold: true,
  service_spending_enabled: true,
});

export type CreditSettings = z.infer<typeof creditSettings>;

const spending = { user_llm_spend: usd, company_llm_spend: usd, total_spend: usd };
const usage = { total_requests: z.number().int(), total_tokens: z.number().int(), ...spending };

/** `user_llm_spend` is the cost at self-managed instances, `company_llm_spend` the charges of service-managed ones. */
export const usageSummary = z.object({ days: z.number().int(), ...usage });

export type UsageSummary = z.infer<typeof usageSummary>;

export const providerUsage = z.object({ provider_key: z.string(), provider_name: z.string(), ...usage });

export type ProviderUsage = z.infer<typeof providerUsage>;

export const lowBalanceUser = z.object({
  tenant_id: z.number().int(),
  tenant_name: z.string(),
  tenant_slug: z.string(),
  /** First administrator of the tenant. */
  user_id: z.number().int().nullable(),
  user_name: z.string().nullable(),
  user_email: z.string().nullable(),
  current_balance: usd,
  low_balance_threshold: usd,
  last_transaction_at: instant.nullable(),
});

export type LowBalanceUser = z.infer<typeof lowBalanceUser>;

export const creditStatistics = z.object({
  total_tenants: z.number().int(),
  tenants_with_credits: z.number().int(),
  low_balance_tenants: z.number().int(),
  zero_balance_tenants: z.number().int(),
  total_balance: usd,
  total_recharged: usd,
  total_spent: usd,
  total_refunded: usd,
});

export type CreditStatistics = z.infer<typeof creditStatistics>;

const read = { method: 'GET', surface: 'management', permission: 'credits.read' } as const;
const change = { method: 'PUT', surface: 'management', permission: 'credits.write' } as const;
const operate = { surface: 'management', permission: 'super_admin' } as const;
const userParams = z.object({ userId: id });
const threshold = z
  .number()
  .min(0)
  .max(1_000_000)
  .refine(hasNanoUsd, 'An amount can have at most 9 decimals');

export const creditsRoutes = defineRoutes({
  getCreditBalance: {
    ...read,
    path: '/credits/balance',
    summary: "Get the tenant's credits",
    response: creditBalance,
  },
  checkCredits: {
    ...read,
    path: '/credits/check',
    summary: "Check whether the tenant's credits cover an amount in dollars",
    request: {
      query: z.strictObject({
        amount: decimalNumber(z.number(whenAbsent('Amount is required')).min(0).max(1_000_000)),
      }),
    },
    response: z.object({
      has_sufficient_credits: z.boolean(),
      current_balance: usd,
      required_amount: usd,
    }),
  },
  rechargeCredits: {
    ...operate,
    method: 'POST',
    idempotent: true,
    path: '/credits/recharge',
    summary: "Add credits to the caller's tenant, with a reason",
    request: { body: rechargeBody },
    response: creditTransaction,
    status: 201,
  },
  bookCreditTransaction: {
    ...operate,
    method: 'POST',
    idempotent: true,
    path: '/credits/transactions',
    summary: 'Book a bonus, a penalty or a credit adjustment, with a reason',
    request: { body: bookTransactionBody },
    response: creditTransaction,
    status: 201,
  },
  listCreditTransactions: {
    ...read,
    path: '/credits/transactions',
    summary: "List the tenant's transactions, newest first; the total is in X-Total-Count",
    request: {
      query: z.strictObject({
        ...transactionFilters,
        offset: pageSkip.default(0),
      }),
    },
    response: z.array(creditTransaction),
  },
  getCreditUsage: {
    ...read,
    path: '/credits/usage/summary',
    summary: "Get the tenant's usage and its cost over the last days",
    request: { query: z.strictObject({ days: days.default(30) }) },
    response: usageSummary,
  },
  getCreditUsageByProvider: {
    ...read,
    path: '/credits/usage/by-provider',
    summary: 'Get usage and cost by provider, most expensive first',
    request: { query: z.strictObject({ days: days.default(30) }) },
    response: z.array(providerUsage),
  },
  setLowBalanceThreshold: {
    ...change,
    path: '/credits/settings/threshold',
    summary: "Set the balance, in dollars, at or below which the tenant's credits count as low",
    request: { body: z.strictObject({ threshold }) },
    response: creditSettings,
  },
  setServiceSpending: {
    ...change,
    path: '/credits/settings/spending/{flag}',
    summary: 'Set whether service-managed instances may spend the credits',
    request: { params: z.object({ flag: z.enum(['true', 'false']) }) },
    response: creditSettings,
  },
  getPricing: {
    ...read,
    path: '/credits/pricing',
    summary: "List the prices of a provider's models, or of all models that the tenant's instances enable",
    request: {
      query: z.strictObject({ provider: modelName.optional(), model: modelName.optional() }),
    },
    response: pricing,
  },
  setPrice: {
    method: 'PUT',
    path: '/credits/pricing',
    surface: 'management',
    permission: 'providers.write',
    summary:
      "Set the price of a model of one of the tenant's own instances; super administrators set prices of any instance or provider",
    request: { body: setPriceBody },
    response: modelPricing.nullable(),
  },
  estimatePrice: {
    ...read,
    path: '/credits/pricing/estimate',
    summary: 'Estimate the maximum cost of a request from an approximate input token count',
    request: {
      query: z.strictObject({
        provider: modelName,
        model: modelName,
        input_text: z.string().max(100_000, 'Input text must have at most 100,000 characters'),
        max_output_tokens: decimalNumber(z.int().min(0).max(10_000_000)).default(1000),
      }),
    },
    response: priceEstimate,
  },
  findCheapestModel: {
    ...read,
    path: '/credits/pricing/cheapest',
    summary: 'Find the cheapest model whose context holds a number of tokens',
    request: {
      query: z.strictObject({
        min_tokens: decimalNumber(z.int().min(0).max(100_000_000)).default(4000),
        provider: modelName.optional(),
      }),
    },
    response: cheapestModel,
  },
  getMyTenantBalance: {
    ...read,
    path: '/credits/my-tenant/balance',
    summary: "Get the credits of the caller's tenant",
    response: creditBalance,
  },
  proveMyTenantBalance: {
    ...read,
    path: '/credits/my-tenant/proof',
    summary: "Verify the balance of the caller's tenant against its ledger",
    request: { query: z.strictObject({ days: days.optional() }) },
    response: balanceProof,
  },
  listMyTenantTransactions: {
    ...read,
    path: '/credits/my-tenant/transactions',
    summary: "List the newest transactions of the caller's tenant",
    request: { query: z.strictObject(transactionFilters) },
    response: z.object({ transactions: z.array(creditTransaction) }),
  },
  rechargeTenantOfUser: {
    ...operate,
    method: 'POST',
    idempotent: true,
    path: '/credits/admin/recharge/{userId}',
    summary: "Add credits to a user's tenant, with a reason",
    request: { params: userParams, body: rechargeBody },
    response: creditTransaction,
    status: 201,
  },
  listLowBalanceUsers: {
    ...operate,
    method: 'GET',
    path: '/credits/admin/low-balance-users',
    summary:
      'List tenants whose credits are low by their own threshold or a given one, with their first administrator',
    request: {
      query: z.strictObject({ threshold: decimalNumber(z.number().min(0).max(1_000_000)).optional() }),
    },
    response: z.array(lowBalanceUser),
  },
  getCreditStatistics: {
    ...operate,
    method: 'GET',
    path: '/credits/admin/statistics',
    summary: 'Get the credits of all tenants combined',
    response: creditStatistics,
  },
  refundTenantOfUser: {
    ...operate,
    method: 'POST',
    idempotent: true,
    path: '/credits/admin/refund/{userId}',
    summary: "Refund a charge to a user's tenant; at most the original amount if a transaction is named",
    request: {
      params: userParams,
      query: z.strictObject({
        amount: decimalNumber(usdAmount, amountProblem),
        description: reason,
        original_transaction_id: decimalNumber(z.int().min(1)).optional(),
      }),
    },
    response: creditTransaction,
    status: 201,
  },
});
