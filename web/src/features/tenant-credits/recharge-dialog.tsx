import type { PaymentSetup, SimulatedPayment } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ProcessingPayment } from '../../components/card/processing-payment.tsx';
import { SimulatedApproval } from '../../components/card/simulated-approval.tsx';
import { SimulatedCardFields } from '../../components/card/simulated-card-fields.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { showSuccess } from '../../components/ui/toasts.tsx';
import { formatUsd, formatUsdExact } from '../../lib/format-money.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { paymentSetupQuery } from '../../lib/payment-setup.ts';
import { AmountForm } from './amount-form.tsx';
import { authenticateSimulated, paySimulated, type TenantAccount, useRefreshCredits } from './queries.ts';
import styles from './recharge-dialog.module.css';
import { type CardOutcome, type PaymentOptions, type PendingPayment, usePayment } from './use-payment.ts';

/** Loads Stripe's script. */
const StripeCardForm = lazyPart(
  () => import('./stripe-card-form.tsx'),
  'StripeCardForm',
  <SkeletonLines count={3} />,
);

/** Card fields of the payment provider. */
function CardPayment({ setup, ...props }: PaymentOptions & { setup: PaymentSetup }) {
  if (setup.publishable_key === null) return <SimulatedCardForm {...props} />;
  return <StripeCardForm publishableKey={setup.publishable_key} {...props} />;
}

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

/** Pays with a simulated card. */
function SimulatedCardForm(props: PaymentOptions) {
  const { clientSecret, amount } = props.payment;
  const { step, pay } = usePayment(props);
  if (step === 'processing') return <ProcessingPayment />;
  if (step === 'approval')
    return (
      <SimulatedApproval
        subject={formatUsd(amount)}
        onAnswer={(isApproved) =>
          void pay(async () => toOutcome(await authenticateSimulated(clientSecret, isApproved)))
        }
      />
    );
  return (
    <SimulatedCardFields
      submitLabel={`Pay ${formatUsd(amount)}`}
      onSubmit={(number) => pay(async () => toOutcome(await paySimulated(clientSecret, number)))}
    />
  );
}

function toOutcome({ status, error }: SimulatedPayment): CardOutcome {
  if (status === 'succeeded') return { kind: 'paid' };
  if (status === 'requires_action') return { kind: 'needsApproval' };
  return { kind: 'declined', message: error ?? 'Payment failed' };
}
