import { Button } from '@mantine/core';
import { DialogFooter } from '../../components/ui/dialog.tsx';
import { ProcessingPayment } from './processing-payment.tsx';
import styles from './stripe-card-form.module.css';
import { useCardElement } from './use-card-element.ts';
import { type CardSetupOptions, type SetupOutcome, useCardSetup } from './use-card-setup.ts';

/** Sets up a card at Stripe. Its 3-D Secure question comes by itself. */
export function StripeSetupForm({ publishableKey, ...props }: CardSetupOptions & { publishableKey: string }) {
  const { step, setUp } = useCardSetup(props);
  const { place, loaded } = useCardElement(publishableKey, props.onFailed);
  const setUpCard = async (clientSecret: string): Promise<SetupOutcome> => {
    if (!loaded.current) throw new Error('Stripe has not loaded yet. Please try again.');
    const { stripe, card } = loaded.current;
    const { error, setupIntent } = await stripe.confirmCardSetup(clientSecret, { payment_method: { card } });
    if (error) return { kind: 'declined', message: error.message ?? 'Failed to add payment method' };
    const method = setupIntent.payment_method;
    if (setupIntent.status !== 'succeeded' || method === null)
      return { kind: 'declined', message: 'Failed to add payment method' };
    return { kind: 'ready', paymentMethodId: typeof method === 'string' ? method : method.id };
  };
  return (
    <>
      {step === 'processing' && <ProcessingPayment />}
      <div hidden={step === 'processing'}>
        <p>Card</p>
        <div ref={place} className={styles.card} />
      </div>
      <DialogFooter>
        <Button onClick={() => void setUp(setUpCard)} aria-disabled={step === 'processing'}>
          Add card
        </Button>
      </DialogFooter>
    </>
  );
}
