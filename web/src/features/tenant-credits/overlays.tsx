import type { useDialogs } from '../../lib/use-dialogs.ts';
import { BookDialog } from './book-dialog.tsx';
import { DetailsDialog } from './details-dialog.tsx';
import { ProofDialog } from './proof-dialog.tsx';
import type { TenantAccount } from './queries.ts';
import { RechargeDialog } from './recharge-dialog.tsx';

export type DialogKind = 'recharge' | 'details' | 'proof' | 'book';

interface TenantCreditsOverlaysProps {
  dialogs: ReturnType<typeof useDialogs<DialogKind, TenantAccount>>;
  /** Current accounts of the list, if loaded. */
  accounts: readonly TenantAccount[] | undefined;
  isOperator: boolean;
}

/** Dialogs of the tenant credits page. */
export function TenantCreditsOverlays({ dialogs, accounts, isOperator }: TenantCreditsOverlaysProps) {
  const { about } = dialogs;
  if (!about) return null;
  const account = accounts?.find(({ id }) => id === about.id) ?? about;
  const tenantId = isOperator ? account.id : undefined;
  return (
    <>
      <RechargeDialog account={account} tenantId={tenantId} {...dialogs.propsOf('recharge')} />
      <DetailsDialog account={account} tenantId={tenantId} {...dialogs.propsOf('details')} />
      <ProofDialog account={account} tenantId={tenantId} {...dialogs.propsOf('proof')} />
      <BookDialog account={account} tenantId={tenantId} {...dialogs.propsOf('book')} />
    </>
  );
}
