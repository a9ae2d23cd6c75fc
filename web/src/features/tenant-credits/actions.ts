import { useMemo } from 'react';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { EditIcon, ProofIcon, RechargeIcon, SummaryIcon } from '../../components/ui/action-icons.ts';
import type { DialogKind } from './overlays.tsx';
import type { TenantAccount } from './queries.ts';

/**
 * Actions on a tenant's credits: recharge, transactions and, for operators, manual bookings, followed by the tenant
 * actions of other features.
 */
export function useTenantCreditsActions(
  open: (kind: DialogKind, account: TenantAccount) => void,
  isOperator: boolean,
  others: readonly RowAction<TenantAccount>[] = none,
): readonly RowAction<TenantAccount>[] {
  return useMemo(
    () => [
      { name: 'Recharge', icon: RechargeIcon, isInline: true, run: (account) => open('recharge', account) },
      { name: 'Details', icon: SummaryIcon, isInline: true, run: (account) => open('details', account) },
      { name: 'Proof of balance', icon: ProofIcon, run: (account) => open('proof', account) },
      ...(isOperator
        ? [{ name: 'Adjust', icon: EditIcon, run: (account: TenantAccount) => open('book', account) }]
        : []),
      ...others,
    ],
    [open, isOperator, others],
  );
}

const none: readonly RowAction<TenantAccount>[] = [];
