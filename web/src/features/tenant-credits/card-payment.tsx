import type { PaymentSetup } from '@sluice/contract';
import { lazy, Suspense } from 'react';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { loadPart } from '../../lib/load-part.ts';
import { SimulatedCardForm } from './simulated-card-form.tsx';
import type { PaymentOptions } from './use-payment.ts';

/** Stripe's own script comes with it. */
const StripeCardForm = lazy(
  loadPart(async () => ({ default: (await import('./stripe-card-form.tsx')).StripeCardForm })),
);

/** The card fields of whoever takes the card. */
export function CardPayment({ setup, ...props }: PaymentOptions & { setup: PaymentSetup }) {
  if (setup.publishable_key === null) return <SimulatedCardForm {...props} />;
  return (
    <Suspense fallback={<SkeletonLines count={3} />}>
      <StripeCardForm publishableKey={setup.publishable_key} {...props} />
    </Suspense>
  );
}
