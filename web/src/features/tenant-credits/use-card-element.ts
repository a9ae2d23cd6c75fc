import type { Stripe, StripeCardElement } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useEffect, useRef, useState } from 'react';

interface LoadedCard {
  readonly stripe: Stripe;
  readonly card: StripeCardElement;
}

/** Stripe's own card fields in `place`: what is typed there goes to Stripe alone. */
export function useCardElement(publishableKey: string, onFailed: (message: string) => void) {
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
