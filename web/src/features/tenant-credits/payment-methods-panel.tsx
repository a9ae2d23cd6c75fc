import { Button } from '@mantine/core';
import type { PaymentMethod, PaymentSetup, SimulatedSetup } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ProcessingPayment } from '#components/card/processing-payment.tsx';
import { SimulatedApproval, SimulatedCardFields } from '#components/card/simulated-card.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { useConfirm } from '#components/ui/confirm.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { NameLine, SecondLine } from '#components/ui/lines.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import styles from './billing.module.css';
import {
  authenticateSimulatedSetup,
  confirmSimulatedSetup,
  paymentMethodsQuery,
  useRemovePaymentMethod,
  useSetDefaultPaymentMethod,
} from './billing-queries.ts';
import { type CardSetupOptions, type SetupOutcome, useCardSetup } from './use-card-setup.ts';

/** Loaded separately, because the form includes Stripe's script. */
const StripeSetupForm = lazyPart(
  () => import('./stripe-setup-form.tsx'),
  'StripeSetupForm',
  <SkeletonLines count={3} />,
);

interface AddCardDialogProps {
  setup: PaymentSetup;
  isOpen: boolean;
  onClose: () => void;
}

/** Dialog with the card fields of the payment provider. */
function AddCardDialog({ setup, isOpen, onClose }: AddCardDialogProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const close = () => {
    setProblem(null);
    onClose();
  };
  const options = {
    onFailed: setProblem,
    onAdded: () => {
      showSuccess('Payment method added');
      close();
    },
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title="Add payment method">
      {problem !== null && (
        <div role="alert">
          <StatusMark kind="bad">{problem}</StatusMark>
        </div>
      )}
      {setup.publishable_key === null ? (
        <SimulatedSetupForm {...options} />
      ) : (
        <StripeSetupForm publishableKey={setup.publishable_key} {...options} />
      )}
    </Dialog>
  );
}

/** Renewals are charged to the default card. */
export function PaymentMethodsPanel({ setup }: { setup: PaymentSetup }) {
  const answer = useQuery(paymentMethodsQuery);
  const [isAdding, setAdding] = useState(false);
  const failure = describeFailure(answer, 'Failed to fetch payment methods');
  return (
    <section className={styles.panel} aria-labelledby="payment-methods" aria-busy={answer.isFetching}>
      <div className={styles.head}>
        <h2 id="payment-methods">Payment methods</h2>
        <Button variant="default" onClick={() => setAdding(true)}>
          Add payment method
        </Button>
      </div>
      {failure && <Failure {...failure} />}
      {!failure && !answer.data && <SkeletonLines count={2} />}
      {answer.data?.length === 0 && (
        <p className="quiet">No card is saved yet. A plan cannot be renewed without a card.</p>
      )}
      {answer.data && (
        <PanelList label="Payment methods" items={answer.data}>
          {(method) => <Card key={method.id} method={method} isLast={answer.data.length === 1} />}
        </PanelList>
      )}
      <AddCardDialog setup={setup} isOpen={isAdding} onClose={() => setAdding(false)} />
    </section>
  );
}

function Card({ method, isLast }: { method: PaymentMethod; isLast: boolean }) {
  const { brand, last4, exp_month, exp_year, is_default } = method;
  const name = `${formatBrand(brand)} •••• ${last4}`;
  return (
    <li className={styles.row}>
      <div>
        <NameLine>
          {name} {is_default && <Badge tone="accent">Default</Badge>}
        </NameLine>
        <SecondLine>
          Expires {String(exp_month).padStart(2, '0')}/{exp_year}
        </SecondLine>
      </div>
      <div className={styles.buttons}>
        {!is_default && <MakeDefault id={method.id} name={name} />}
        <Remove id={method.id} name={name} isLast={isLast} />
      </div>
    </li>
  );
}

function MakeDefault({ id, name }: { id: string; name: string }) {
  const setDefault = useSetDefaultPaymentMethod();
  // `mutate` callbacks would not run, because the button unmounts before. The promise resolves regardless.
  const make = () =>
    setDefault.mutateAsync(id).then(
      () => showSuccess('Default payment method changed'),
      (error) => showError(messageOf(error, 'Failed to set default payment method')),
    );
  return (
    <Button
      variant="default"
      aria-label={`Make default: ${name}`}
      data-pending={setDefault.isPending || undefined}
      onClick={() => void make()}
    >
      Make default
    </Button>
  );
}

function Remove({ id, name, isLast }: { id: string; name: string; isLast: boolean }) {
  const confirm = useConfirm();
  const remove = useRemovePaymentMethod();
  const ask = async () => {
    const isAgreed = await confirm({
      title: `Remove ${name}?`,
      message: isLast ? 'It is the only card. The plan cannot be renewed without a card.' : undefined,
      confirmLabel: 'Remove card',
      isDanger: true,
    });
    if (!isAgreed) return;
    await remove.mutateAsync(id).then(
      () => showSuccess('Payment method removed'),
      (error) => showError(messageOf(error, 'Failed to remove payment method')),
    );
  };
  return (
    <Button
      variant="default"
      aria-label={`Remove ${name}`}
      data-pending={remove.isPending || undefined}
      onClick={() => void ask()}
    >
      Remove
    </Button>
  );
}

const formatBrand = (brand: string) => `${brand[0]?.toUpperCase() ?? ''}${brand.slice(1)}`;

function SimulatedSetupForm(props: CardSetupOptions) {
  const { step, setUp } = useCardSetup(props);
  if (step === 'processing') return <ProcessingPayment />;
  if (step === 'approval')
    return (
      <SimulatedApproval
        subject="keeping this card"
        onAnswer={(isApproved) =>
          void setUp(async (secret) => toOutcome(await authenticateSimulatedSetup(secret, isApproved)))
        }
      />
    );
  return (
    <SimulatedCardFields
      submitLabel="Add card"
      onSubmit={(number) => setUp(async (secret) => toOutcome(await confirmSimulatedSetup(secret, number)))}
    />
  );
}

function toOutcome({ status, error, payment_method }: SimulatedSetup): SetupOutcome {
  if (status === 'requires_action') return { kind: 'needsApproval' };
  if (payment_method !== null) return { kind: 'ready', paymentMethodId: payment_method };
  return { kind: 'declined', message: error ?? 'Failed to add payment method' };
}
