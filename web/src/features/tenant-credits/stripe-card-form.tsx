import { Button } from '@mantine/core';
import { DialogFooter } from '../../components/ui/dialog.tsx';
import { formatUsd } from '../../lib/format-money.ts';
import { ProcessingPayment } from './processing-payment.tsx';
import styles from './stripe-card-form.module.css';
import { useCardElement } from './use-card-element.ts';
import { type CardOutcome, type PaymentOptions, usePayment } from './use-payment.ts';

/** Stripe's own card fields: what is typed there goes to Stripe alone. Its 3-D Secure question comes by itself. */
export function StripeCardForm({ publishableKey, ...props }: PaymentOptions & { publishableKey: string }) {
  const { payment, onFailed } = props;
  const { step, pay } = usePayment(props);
  const { place, loaded } = useCardElement(publishableKey, onFailed);
  const payByCard = async (): Promise<CardOutcome> => {
    if (!loaded.current) throw new Error('Stripe has not loaded yet. Please try again.');
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
      <div hidden={step === 'processing'}>
        <p>Card</p>
        <div ref={place} className={styles.card} />
      </div>
      <DialogFooter>
        <Button onClick={() => void pay(payByCard)} aria-disabled={step === 'processing'}>
          Pay {formatUsd(payment.amount)}
        </Button>
      </DialogFooter>
    </>
  );
}
