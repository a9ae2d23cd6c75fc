import type { Stripe, StripeCardElement } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { type Ref, useEffect, useRef, useState } from 'react';
import styles from './stripe-card-field.module.css';

/** Hiding the container keeps the content of Stripe's card fields. */
export function StripeCardField({ ref, isHidden }: { ref: Ref<HTMLDivElement>; isHidden: boolean }) {
  return (
    <div hidden={isHidden}>
      <p>Card</p>
      <div ref={ref} className={styles.card} />
    </div>
  );
}

export interface StripeCard {
  readonly stripe: Stripe;
  readonly card: StripeCardElement;
}

export const stripeNotLoaded = 'Stripe has not loaded yet. Please try again.';

/**
 * Mounts Stripe's card fields in `place`. Their content is sent to Stripe only. `loaded` is empty until the fields
 * are mounted.
 */
export function useStripeCard(publishableKey: string, onFailed: (message: string) => void) {
  const place = useRef<HTMLDivElement>(null);
  const loaded = useRef<StripeCard | null>(null);
  const [fail] = useState(() => onFailed);
  useEffect(() => {
    let isGone = false;
    const load = async () => {
      const stripe = await loadStripe(publishableKey);
      if (isGone) return;
      if (!stripe) return fail(stripeNotLoaded);
      if (!place.current) return fail('Card number element not found.');
      const card = stripe.elements().create('card');
      card.mount(place.current);
      loaded.current = { stripe, card };
    };
    load().catch(() => fail(stripeNotLoaded));
    return () => {
      isGone = true;
      loaded.current?.card.destroy();
      loaded.current = null;
    };
  }, [publishableKey, fail]);
  return { place, loaded };
}
