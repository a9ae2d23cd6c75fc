import { Button } from '@mantine/core';
import {
  newIdempotencyKey,
  type PaymentSetup,
  paymentAmount,
  readTypedMoney,
  type SimulatedPayment,
} from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import { ProcessingPayment } from '#components/card/processing-payment.tsx';
import { SimulatedApproval, SimulatedCardFields } from '#components/card/simulated-card.tsx';
import { Form } from '#components/forms/form.tsx';
import { NumberField } from '#components/forms/number-field.tsx';
import { TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { formatUsd, formatUsdExact } from '#lib/format-money.ts';
import { useKeptInput } from '#lib/kept-input.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { paymentSetupQuery } from '#lib/payment-setup.ts';
import {
  authenticateSimulated,
  paySimulated,
  type TenantAccount,
  useCreatePayment,
  useRefreshCredits,
} from './queries.ts';
import styles from './recharge-dialog.module.css';
import { type CardOutcome, type PaymentOptions, type PendingPayment, usePayment } from './use-payment.ts';

/** The unsent recharge form of a tenant is stored under this key. */
const inputOf = (tenantId: number | undefined) => `recharge-${tenantId ?? 'own'}`;

interface AmountFormProps {
  tenantId: number | undefined;
  /** Reason why the previous payment failed, or `null`. */
  problem: string | null;
  onCreated: (payment: PendingPayment) => void;
}

const schema = z.object({ amount: paymentAmount, description: z.string().trim().max(500) });

function AmountForm({ tenantId, problem, onCreated }: AmountFormProps) {
  const create = useCreatePayment();
  // Ensures that a second click, or a retry after a lost response, does not start a second payment.
  const [idempotencyKey] = useState(newIdempotencyKey);
  const [kept, keep] = useKeptInput(inputOf(tenantId), { amount: '', description: '' });
  const amountKept = readTypedMoney(kept.amount) ?? kept.amount;
  const form = useContractForm({
    schema,
    initialValues: { amount: amountKept, description: kept.description },
  });
  const { amount, description } = form.values;
  useEffect(() => keep({ amount: String(amount ?? ''), description }));
  return (
    <Form
      form={form}
      submitLabel="Continue to Payment"
      pendingLabel="Creating payment..."
      fallbackProblem="Failed to create payment"
      onSubmit={async ({ amount, description }) => {
        const key = `${idempotencyKey}-${amount}-${description}`.slice(0, 200).replace(/[^\x21-\x7e]/g, '_');
        const intent = await create.mutateAsync({ tenantId, amount, description, idempotencyKey: key });
        onCreated({
          intentId: intent.payment_intent_id,
          clientSecret: intent.client_secret,
          amount: intent.amount,
        });
      }}
    >
      {problem !== null && (
        <div role="alert">
          <StatusMark kind="bad">{problem}</StatusMark>
        </div>
      )}
      <NumberField
        label="Amount"
        description="US dollars, from $0.01 to $10,000"
        emptyMeans="absent"
        isMoney
        min={0.01}
        max={10_000}
        step={0.01}
        data-autofocus
        {...form.bind('amount')}
      />
      <TextField label="Description" placeholder="Optional" {...form.bind('description')} />
    </Form>
  );
}

/** Loaded separately, because the form includes Stripe's script. */
const StripeCardForm = lazyPart(
  () => import('./stripe-card-form.tsx'),
  'StripeCardForm',
  <SkeletonLines count={3} />,
);

function CardPayment({ setup, ...props }: PaymentOptions & { setup: PaymentSetup }) {
  if (setup.publishable_key === null) return <SimulatedCardForm {...props} />;
  return <StripeCardForm publishableKey={setup.publishable_key} {...props} />;
}

interface RechargeDialogProps {
  account: TenantAccount;
  tenantId: number | undefined;
  isOpen: boolean;
  onClose: () => void;
  /** `null` if the user may not add credits without a payment. */
  onBook: (() => void) | null;
}

/** Delay in milliseconds after a payment. The ledger entry is usually booked by then. */
const refreshAfterMs = 1_500;

/** The amount is the first step, the card the second. */
export function RechargeDialog({ account, tenantId, isOpen, onClose, onBook }: RechargeDialogProps) {
  const [payment, setPayment] = useState<PendingPayment | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { data: setup } = useQuery(paymentSetupQuery);
  const refresh = useRefreshCredits();
  const [, , forgetInput] = useKeptInput(inputOf(tenantId), {});
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
        <Notice
          kind="warn"
          title="Payments are not set up."
          action={onBook && <Button onClick={onBook}>Adjust credits</Button>}
        >
          The operator can set the Stripe keys.
          {onBook === null && ' Until then, a super administrator can adjust the credits.'}
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
            forgetInput();
            setTimeout(() => void refresh(), refreshAfterMs);
            close();
          }}
        />
      )}
    </Dialog>
  );
}

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
