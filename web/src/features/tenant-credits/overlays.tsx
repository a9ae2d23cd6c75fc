import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import { NumberField } from '#components/forms/number-field.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { formatLifetimeSpent, formatUsdExact } from '#lib/format-money.ts';
import type { useDialogs } from '#lib/use-dialogs.ts';
import { BookDialog } from './book-dialog.tsx';
import styles from './credit-settings.module.css';
import { ProofDialog } from './proof-dialog.tsx';
import { type TenantAccount, useSetSpending, useSetThreshold } from './queries.ts';
import { RechargeDialog } from './recharge-dialog.tsx';
import { TransactionHistory } from './transaction-history.tsx';

export type DialogKind = 'recharge' | 'details' | 'proof' | 'book';

interface TenantCreditsOverlaysProps {
  dialogs: ReturnType<typeof useDialogs<DialogKind, TenantAccount>>;
  accounts: readonly TenantAccount[] | undefined;
  isOperator: boolean;
}

export function TenantCreditsOverlays({ dialogs, accounts, isOperator }: TenantCreditsOverlaysProps) {
  const { about } = dialogs;
  if (!about) return null;
  const account = accounts?.find(({ id }) => id === about.id) ?? about;
  const tenantId = isOperator ? account.id : undefined;
  return (
    <>
      <RechargeDialog
        account={account}
        tenantId={tenantId}
        onBook={isOperator ? () => dialogs.open('book', account) : null}
        {...dialogs.propsOf('recharge')}
      />
      <DetailsDialog account={account} tenantId={tenantId} {...dialogs.propsOf('details')} />
      <ProofDialog account={account} tenantId={tenantId} {...dialogs.propsOf('proof')} />
      <BookDialog account={account} tenantId={tenantId} {...dialogs.propsOf('book')} />
    </>
  );
}

interface DetailsDialogProps {
  account: TenantAccount;
  tenantId: number | undefined;
  isOpen: boolean;
  onClose: () => void;
}

export function DetailsDialog({ account, tenantId, isOpen, onClose }: DetailsDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Transaction history of ${account.name}`} size="xl">
      <FactList>
        <Fact name="Current balance">{formatUsdExact(account.current_balance, 4)}</Fact>
        <Fact name="Lifetime spent">{formatLifetimeSpent(account.lifetime_spent)}</Fact>
        <Fact name="Lifetime recharged">{formatUsdExact(account.lifetime_recharged, 2)}</Fact>
      </FactList>
      <CreditSettings account={account} tenantId={tenantId} />
      <TransactionHistory tenantId={tenantId} />
    </Dialog>
  );
}

interface CreditSettingsProps {
  account: TenantAccount;
  tenantId: number | undefined;
}

/** Includes the switch that allows service-managed providers to spend credits. */
export function CreditSettings({ account, tenantId }: CreditSettingsProps) {
  const [threshold, setThreshold] = useState<number | string>(account.low_balance_threshold);
  const saveThreshold = useSetThreshold(tenantId);
  const saveSpending = useSetSpending(tenantId);
  const isChanged = typeof threshold === 'number' && threshold !== account.low_balance_threshold;
  const isUnreadable = typeof threshold === 'string' && threshold !== '';
  const onError = (error: unknown) => showError(messageOf(error, 'The setting could not be saved'));
  return (
    <div className={styles.settings}>
      <NumberField
        label="Low balance threshold"
        emptyMeans="absent"
        isMoney
        value={threshold}
        error={isUnreadable && 'Please enter an amount'}
        onChange={(value) => setThreshold(value ?? '')}
      />
      <Button
        variant="default"
        disabled={!isChanged}
        data-pending={saveThreshold.isPending || undefined}
        onClick={() =>
          isChanged &&
          saveThreshold.mutate(threshold, {
            onSuccess: () => showSuccess('Low balance threshold saved'),
            onError,
          })
        }
      >
        Save
      </Button>
      <Switch
        className={styles.spending}
        label="Sluice managed models may spend these credits"
        checked={account.service_spending_enabled}
        onChange={({ currentTarget }) => saveSpending.mutate(currentTarget.checked, { onError })}
      />
    </div>
  );
}
