import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { showSuccess } from '../../components/ui/toasts.tsx';
import { formatUsd, formatUsdExact } from '../../lib/format-money.ts';
import { paymentSetupQuery } from '../../lib/payment-setup.ts';
import { AmountForm } from './amount-form.tsx';
import { CardPayment } from './card-payment.tsx';
import { type TenantAccount, useRefreshCredits } from './queries.ts';
import styles from './recharge-dialog.module.css';
import type { PendingPayment } from './use-payment.ts';

interface RechargeDialogProps {
  account: TenantAccount;
  /** Tenant to pay for as a super administrator. */
  tenantId: number | undefined;
  isOpen: boolean;
  onClose: () => void;
}

/** Delay after a payment until its ledger entry exists, when the list is refetched. */
const refreshAfterMs = 1_500;

/** Two steps: amount, then card. */
export function RechargeDialog({ account, tenantId, isOpen, onClose }: RechargeDialogProps) {
  const [payment, setPayment] = useState<PendingPayment | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { data: setup } = useQuery(paymentSetupQuery);
  const refresh = useRefreshCredits();
  const close = () => {
    setPayment(null);
    setProblem(null);
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title={`Recharge ${account.name}`}>
      <p className={`num quiet ${styles.balance}`}>
        Current balance: {formatUsdExact(account.current_balance, 4)}
      </p>
      {setup?.provider === null && (
        <Notice kind="bad" title="Payments are not set up.">
          Whoever runs Sluice can set the Stripe keys.
        </Notice>
      )}
      {setup?.provider && payment === null && (
        <AmountForm tenantId={tenantId} problem={problem} onCreated={setPayment} />
      )}
      {setup?.provider && payment !== null && (
        <CardPayment
          setup={setup}
          payment={payment}
          tenantId={tenantId}
          onFailed={(message) => {
            setProblem(message);
            setPayment(null);
          }}
          onPaid={(amount) => {
            showSuccess(`Successfully added ${formatUsd(amount)} credits to ${account.name}!`);
            setTimeout(() => void refresh(), refreshAfterMs);
            close();
          }}
        />
      )}
    </Dialog>
  );
}
