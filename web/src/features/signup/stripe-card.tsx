import { Button } from '@mantine/core';
import type { Plan, SetupIntent } from '@sluice/contract';
import { useState } from 'react';
import { ProcessingPayment } from '#components/card/processing-payment.tsx';
import {
  type StripeCard as LoadedCard,
  StripeCardField,
  stripeNotLoaded,
  useStripeCard,
} from '#components/card/stripe-card.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { isFree } from '#lib/plan-price.ts';
import { submitLabelOf } from './simulated-card.tsx';
import styles from './steps.module.css';
import type { AccountCreation, CardOutcome } from './use-account-creation.ts';

interface StripeCardProps {
  creation: AccountCreation;
  plan: Plan;
  publishableKey: string;
}

/** Shows the 3-D Secure challenge. */
export function StripeCard({ creation: { step, setUpCard }, plan, publishableKey }: StripeCardProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const { place, loaded } = useStripeCard(publishableKey, setProblem);
  const confirm = async (intent: SetupIntent): Promise<CardOutcome> => {
    if (!loaded.current) return { kind: 'declined', message: stripeNotLoaded };
    return isFree(plan) ? confirmCard(loaded.current, intent) : payByCard(loaded.current, intent);
  };
  return (
    <>
      {step === 'processing' && <ProcessingPayment />}
      <StripeCardField ref={place} isHidden={step === 'processing'} />
      <div role="alert">{problem !== null && <StatusMark kind="bad">{problem}</StatusMark>}</div>
      <div className={styles.buttons}>
        <Button
          onClick={() => step === 'card' && void setUpCard(confirm)}
          aria-disabled={step === 'processing'}
        >
          {submitLabelOf(plan)}
        </Button>
      </div>
    </>
  );
}

/**
 * The payment method is created during the signup, so that the bank verifies the card now instead of at the end of
 * the trial.
 */
async function payByCard({ stripe, card }: LoadedCard, { client_secret }: SetupIntent): Promise<CardOutcome> {
  const made = await stripe.createPaymentMethod({ type: 'card', card });
  if (made.error) return declined(made.error.message);
  const { id } = made.paymentMethod;
  const { error } = await stripe.confirmCardSetup(client_secret, { payment_method: id });
  return error ? declined(error.message) : { kind: 'ready', paymentMethodId: id };
}

async function confirmCard(
  { stripe, card }: LoadedCard,
  { client_secret }: SetupIntent,
): Promise<CardOutcome> {
  const { error } = await stripe.confirmCardSetup(client_secret, { payment_method: { card } });
  return error ? declined(error.message) : { kind: 'ready', paymentMethodId: null };
}

const declined = (message = 'Payment processing failed'): CardOutcome => ({ kind: 'declined', message });
