import {
  type BalanceProof,
  type CreditBalance,
  type CreditSettings,
  type CreditTransaction,
  type ProviderUsage,
  type TransactionType,
  toUsd,
  type UsageSummary,
} from '@sluice/contract';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { formatTotalCount } from '#domain/total-count.ts';
import { notFound } from '#errors/console-error.ts';
import { Page } from '#http/verbs.ts';
import type { LedgerEntry } from '#ledger/entry.ts';
import { proveBalance } from '#ledger/prove.ts';
import { type Account, countEntries, readAccounts, readEntries } from '#ledger/read.ts';
import { findCreditSettings } from './store.ts';

export async function getBalance(tx: TenantTransaction, { tenantId }: Author): Promise<CreditBalance> {
  const settings = await findCreditSettings(tx, tenantId);
  const [account] = await readAccounts(tx, tenantId);
  if (!settings || !account) throw notFound('Tenant');
  return toCreditBalance(account, settings);
}

export async function checkCredits(tx: TenantTransaction, author: Author, amount: number) {
  const { current_balance } = await getBalance(tx, author);
  return { has_sufficient_credits: current_balance >= amount, current_balance, required_amount: amount };
}

export interface TransactionQuery {
  transaction_type?: TransactionType | undefined;
  days?: number | undefined;
  limit: number;
  offset?: number;
  before?: number | undefined;
}

export async function listTransactions(
  tx: TenantTransaction,
  author: Author,
  { transaction_type: kind, days, before, limit, offset = 0 }: TransactionQuery,
): Promise<Page<CreditTransaction[]>> {
  const filter = { tenantId: author.tenantId, kind, days, before };
  const totalCount = formatTotalCount(await countEntries(tx, filter));
  const entries = await readEntries(tx, filter, { offset, limit });
  return new Page(entries.map(toCreditTransaction), totalCount);
}

/** The provider key is empty for requests that reached no provider. */
export async function summarizeUsageByProvider(
  tx: LogTransaction,
  _author: Author,
  days: number,
): Promise<ProviderUsage[]> {
  const rows = await tx.requestLog.sumByProvider(days);
  return rows.map(({ providerKey, providerName, requests, tokens, self, service }) => ({
    provider_key: providerKey ?? '',
    provider_name: providerName ?? providerKey ?? '',
    total_requests: Number(requests),
    total_tokens: Number(tokens),
    user_llm_spend: toUsd(BigInt(self)),
    company_llm_spend: toUsd(BigInt(service)),
    total_spend: toUsd(BigInt(self) + BigInt(service)),
  }));
}

export async function summarizeUsage(
  tx: LogTransaction,
  _author: Author,
  days: number,
): Promise<UsageSummary> {
  const rows = await tx.requestLog.sumByProvider(days);
  const sum = (read: (row: (typeof rows)[number]) => string) =>
    rows.reduce((total, row) => total + BigInt(read(row)), 0n);
  const self = sum((row) => row.self);
  const service = sum((row) => row.service);
  return {
    days,
    total_requests: Number(sum(({ requests }) => requests)),
    total_tokens: Number(sum(({ tokens }) => tokens)),
    user_llm_spend: toUsd(self),
    company_llm_spend: toUsd(service),
    total_spend: toUsd(self + service),
  };
}

export async function proveTenantBalance(
  tx: TenantTransaction,
  author: Author,
  days: number | undefined,
): Promise<BalanceProof> {
  const proof = await proveBalance(tx, author.tenantId, days);
  const { booked, balance, held } = proof;
  const sumOf = (kind: keyof typeof booked) => booked[kind] ?? 0n;
  const total = Object.values(booked).reduce((sum, amount) => sum + amount, proof.opening);
  return {
    opened_at: proof.openedAt?.toISOString() ?? null,
    opening_balance: toUsd(proof.opening),
    recharges: toUsd(sumOf('recharge')),
    bonuses: toUsd(sumOf('bonus')),
    refunds: toUsd(sumOf('refund')),
    adjustments: toUsd(sumOf('adjustment')),
    deductions: toUsd(-sumOf('deduction')),
    penalties: toUsd(-sumOf('penalty')),
    current_balance: toUsd(balance),
    held: toUsd(held),
    available_balance: toUsd(balance - held),
    transactions: proof.entries,
    is_verified: total === balance && proof.lastBalance === balance,
    verified_at: proof.provedAt.toISOString(),
  };
}

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
