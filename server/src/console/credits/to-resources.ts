import { type CreditBalance, type CreditSettings, type CreditTransaction, toUsd } from '@sluice/contract';
import type { LedgerEntry } from '#ledger/entry.ts';
import type { Account } from '#ledger/read.ts';

interface Settings {
  readonly lowBalanceThreshold: bigint;
  readonly isServiceSpendingAllowed: boolean;
}

export function toCreditSettings(settings: Settings): CreditSettings {
  return {
    low_balance_threshold: toUsd(settings.lowBalanceThreshold),
    service_spending_enabled: settings.isServiceSpendingAllowed,
  };
}

export function toCreditBalance(account: Account, settings: Settings): CreditBalance {
  return {
    current_balance: toUsd(account.balance),
    lifetime_spent: toUsd(account.spent),
    lifetime_recharged: toUsd(account.recharged),
    last_transaction_at: account.lastEntryAt?.toISOString() ?? null,
    is_low_balance: account.balance <= settings.lowBalanceThreshold,
    is_zero_balance: account.balance <= 0n,
    ...toCreditSettings(settings),
  };
}

export function toCreditTransaction(entry: LedgerEntry): CreditTransaction {
  const isSigned = entry.kind === 'adjustment';
  return {
    id: entry.id,
    transaction_type: entry.kind,
    amount: toUsd(entry.amount < 0n && !isSigned ? -entry.amount : entry.amount),
    description: entry.description,
    created_at: entry.createdAt.toISOString(),
    payment_method: entry.paymentMethod,
    payment_reference: entry.paymentReference,
    provider_key: entry.providerKey,
    model_name: entry.model,
    requests: entry.requests,
    tokens_used: entry.tokens,
    original_transaction_id: entry.refundedEntryId,
    balance_before: toUsd(entry.balanceBefore),
    balance_after: toUsd(entry.balanceAfter),
  };
}
