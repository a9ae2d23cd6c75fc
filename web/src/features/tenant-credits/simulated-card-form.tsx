import type { SimulatedPayment } from '@sluice/contract';
import { formatUsd } from '../../lib/format-money.ts';
import { ProcessingPayment } from './processing-payment.tsx';
import { authenticateSimulated, paySimulated } from './queries.ts';
import { ApprovalQuestion, SimulatedCardFields } from './simulated-card-fields.tsx';
import { type CardOutcome, type PaymentOptions, usePayment } from './use-payment.ts';

/** Card fields of a demonstration: they take the numbers that Stripe documents for tests. */
export function SimulatedCardForm(props: PaymentOptions) {
  const { clientSecret, amount } = props.payment;
  const { step, pay } = usePayment(props);
  if (step === 'processing') return <ProcessingPayment />;
  if (step === 'approval')
    return (
      <ApprovalQuestion
        about={`for ${formatUsd(amount)}`}
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
