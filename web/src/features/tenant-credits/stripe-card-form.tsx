import { Button } from '@mantine/core';
import type { Stripe, StripeCardElement } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useEffect, useRef, useState } from 'react';
import { DialogFooter } from '../../components/ui/dialog.tsx';
import { formatUsd } from '../../lib/format-money.ts';
import { ProcessingPayment } from './processing-payment.tsx';
import styles from './stripe-card-form.module.css';
import { type CardOutcome, type PaymentOptions, usePayment } from './use-payment.ts';

interface LoadedCard {
  readonly stripe: Stripe;
  readonly card: StripeCardElement;
}

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

function useCardElement(publishableKey: string, onFailed: (message: string) => void) {
  const place = useRef<HTMLDivElement>(null);
  const loaded = useRef<LoadedCard | null>(null);
  const [fail] = useState(() => onFailed);
  useEffect(() => {
    let isGone = false;
    const load = async () => {
      const stripe = await loadStripe(publishableKey);
      if (isGone) return;
      if (!stripe) return fail('Stripe has not loaded yet. Please try again.');
      if (!place.current) return fail('Card number element not found.');
      const card = stripe.elements().create('card');
      card.mount(place.current);
      loaded.current = { stripe, card };
    };
    load().catch(() => fail('Stripe has not loaded yet. Please try again.'));
    return () => {
      isGone = true;
      loaded.current?.card.destroy();
      loaded.current = null;
    };
  }, [publishableKey, fail]);
  return { place, loaded };
}
