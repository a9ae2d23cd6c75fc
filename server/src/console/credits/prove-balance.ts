import { type BalanceProof, toUsd } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { proveBalance } from '#ledger/prove.ts';

/** Recomputes the tenant's balance from its transactions of the last days, or of all time. */
export async function proveTenantBalance(
  { principal, inTenant }: SignedInContext,
  days: number | undefined,
): Promise<BalanceProof> {
  const proof = await inTenant((tx) => proveBalance(tx, principal.tenantId, days));
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
