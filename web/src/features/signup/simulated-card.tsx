import type { Plan, SimulatedSetup } from '@sluice/contract';
import { ProcessingPayment } from '#components/card/processing-payment.tsx';
import { SimulatedApproval, SimulatedCardFields } from '#components/card/simulated-card.tsx';
import { isFree } from '#lib/plan-price.ts';
import { authenticateSimulatedSetup, confirmSimulatedSetup } from './queries.ts';
import type { AccountCreation, CardOutcome } from './use-account-creation.ts';

interface SimulatedCardProps {
  creation: AccountCreation;
  plan: Plan;
}

/** The fields keep their values while the card is checked. */
export function SimulatedCard({ creation: { step, setUpCard }, plan }: SimulatedCardProps) {
  const toOutcome = ({ status, error, payment_method }: SimulatedSetup): CardOutcome => {
    if (status === 'succeeded')
      return { kind: 'ready', paymentMethodId: isFree(plan) ? null : payment_method };
    if (status === 'requires_action') return { kind: 'needsApproval' };
    return { kind: 'declined', message: error ?? 'Payment processing failed' };
  };
  return (
    <>
      {step === 'processing' && <ProcessingPayment />}
      {step === 'approval' && (
        <SimulatedApproval
          subject={`a card that pays for ${plan.name}`}
          onAnswer={(isApproved) =>
            void setUpCard(async ({ client_secret }) =>
              toOutcome(await authenticateSimulatedSetup(client_secret, isApproved)),
            )
          }
        />
      )}
      <div hidden={step !== 'card'}>
        <SimulatedCardFields
          submitLabel={submitLabelOf(plan)}
          onSubmit={(number) =>
            setUpCard(async ({ client_secret }) =>
              toOutcome(await confirmSimulatedSetup(client_secret, number)),
            )
          }
        />
      </div>
    </>
  );
}

export const submitLabelOf = (plan: Plan): string => (isFree(plan) ? 'Create Account' : 'Start the trial');
