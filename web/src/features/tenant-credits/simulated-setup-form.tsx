import type { SimulatedSetup } from '@sluice/contract';
import { ProcessingPayment } from '../../components/card/processing-payment.tsx';
import { SimulatedApproval } from '../../components/card/simulated-approval.tsx';
import { SimulatedCardFields } from '../../components/card/simulated-card-fields.tsx';
import { authenticateSimulatedSetup, confirmSimulatedSetup } from './billing-queries.ts';
import { type CardSetupOptions, type SetupOutcome, useCardSetup } from './use-card-setup.ts';

/** Sets up a simulated card. */
export function SimulatedSetupForm(props: CardSetupOptions) {
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
