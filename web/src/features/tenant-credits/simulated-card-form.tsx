import type { SimulatedPayment } from '@sluice/contract';
import { ProcessingPayment } from '../../components/card/processing-payment.tsx';
import { SimulatedApproval } from '../../components/card/simulated-approval.tsx';
import { SimulatedCardFields } from '../../components/card/simulated-card-fields.tsx';
import { formatUsd } from '../../lib/format-money.ts';
import { authenticateSimulated, paySimulated } from './queries.ts';
import { type CardOutcome, type PaymentOptions, usePayment } from './use-payment.ts';

/** Pays with a simulated card. */
export function SimulatedCardForm(props: PaymentOptions) {
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
