import { useMemo } from 'react';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { RechargeIcon, SummaryIcon } from '../../components/ui/action-icons.ts';
import type { DialogKind } from './overlays.tsx';
import type { TenantAccount } from './queries.ts';

/** What can be done to a tenant's credits: add to them, and see what moved them; then what others do to the tenant. */
export function useTenantCreditsActions(
  open: (kind: DialogKind, account: TenantAccount) => void,
  others: readonly RowAction<TenantAccount>[] = none,
): readonly RowAction<TenantAccount>[] {
  return useMemo(
    () => [
      { name: 'Recharge', icon: RechargeIcon, isInline: true, run: (account) => open('recharge', account) },
      { name: 'Details', icon: SummaryIcon, isInline: true, run: (account) => open('details', account) },
      ...others,
    ],
    [open, others],
  );
}

const none: readonly RowAction<TenantAccount>[] = [];
