import { Button } from '@mantine/core';
import { ProcessingPayment } from '#components/card/processing-payment.tsx';
import { StripeCardField, stripeNotLoaded, useStripeCard } from '#components/card/stripe-card.tsx';
import { DialogFooter } from '#components/ui/dialog.tsx';
import { type CardSetupOptions, type SetupOutcome, useCardSetup } from './use-card-setup.ts';

/** Shows the 3-D Secure dialog. */
export function StripeSetupForm({ publishableKey, ...props }: CardSetupOptions & { publishableKey: string }) {
  const { step, setUp } = useCardSetup(props);
  const { place, loaded } = useStripeCard(publishableKey, props.onFailed);
  const setUpCard = async (clientSecret: string): Promise<SetupOutcome> => {
    if (!loaded.current) return { kind: 'declined', message: stripeNotLoaded };
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
      <StripeCardField ref={place} isHidden={step === 'processing'} />
      <DialogFooter>
        <Button onClick={() => void setUp(setUpCard)} aria-disabled={step === 'processing'}>
          Add card
        </Button>
      </DialogFooter>
    </>
  );
}
