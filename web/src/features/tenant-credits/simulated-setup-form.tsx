import type { SimulatedSetup } from '@sluice/contract';
import { authenticateSimulatedSetup, confirmSimulatedSetup } from './billing-queries.ts';
import { ProcessingPayment } from './processing-payment.tsx';
import { ApprovalQuestion, SimulatedCardFields } from './simulated-card-fields.tsx';
import { type CardSetupOptions, type SetupOutcome, useCardSetup } from './use-card-setup.ts';

/** Sets up a card of a demonstration. */
export function SimulatedSetupForm(props: CardSetupOptions) {
  const { step, setUp } = useCardSetup(props);
  if (step === 'processing') return <ProcessingPayment />;
  if (step === 'approval')
    return (
      <ApprovalQuestion
        about="for keeping this card"
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
