import type { useDialogs } from '../../lib/use-dialogs.ts';
import { BookDialog } from './book-dialog.tsx';
import { DetailsDialog } from './details-dialog.tsx';
import { ProofDialog } from './proof-dialog.tsx';
import type { TenantAccount } from './queries.ts';
import { RechargeDialog } from './recharge-dialog.tsx';

export type DialogKind = 'recharge' | 'details' | 'proof' | 'book';

interface TenantCreditsOverlaysProps {
  dialogs: ReturnType<typeof useDialogs<DialogKind, TenantAccount>>;
  /** As the list has them now, where it has them. */
  accounts: readonly TenantAccount[] | undefined;
  isOperator: boolean;
}

/** What opens over the list of tenants' credits: a payment, and what moved a balance. */
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
