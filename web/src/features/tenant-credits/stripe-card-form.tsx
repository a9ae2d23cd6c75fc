import { Button } from '@mantine/core';
import { ProcessingPayment } from '#components/card/processing-payment.tsx';
import { StripeCardField, stripeNotLoaded, useStripeCard } from '#components/card/stripe-card.tsx';
import { DialogFooter } from '#components/ui/dialog.tsx';
import { formatUsd } from '#lib/format-money.ts';
import { type CardOutcome, type PaymentOptions, usePayment } from './use-payment.ts';

/** Shows the 3-D Secure dialog. */
export function StripeCardForm({ publishableKey, ...props }: PaymentOptions & { publishableKey: string }) {
  const { payment, onFailed } = props;
  const { step, pay } = usePayment(props);
  const { place, loaded } = useStripeCard(publishableKey, onFailed);
  const payByCard = async (): Promise<CardOutcome> => {
    if (!loaded.current) return { kind: 'declined', message: stripeNotLoaded };
    const { stripe, card } = loaded.current;
    const { error, paymentIntent } = await stripe.confirmCardPayment(payment.clientSecret, {
      payment_method: { card },
    });
    if (error) return { kind: 'declined', message: error.message ?? 'Payment failed' };
    if (paymentIntent.status === 'succeeded') return { kind: 'paid' };
    return { kind: 'declined', message: 'Payment was not successful' };
  };
  return (
    <>
      {step === 'processing' && <ProcessingPayment />}
      <StripeCardField ref={place} isHidden={step === 'processing'} />
      <DialogFooter>
        <Button onClick={() => void pay(payByCard)} aria-disabled={step === 'processing'}>
          Pay {formatUsd(payment.amount)}
        </Button>
      </DialogFooter>
    </>
  );
}
