import type { PaymentSetup } from '@sluice/contract';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { SimulatedCardForm } from './simulated-card-form.tsx';
import type { PaymentOptions } from './use-payment.ts';

/** Stripe's own script comes with it. */
const StripeCardForm = lazyPart(
  () => import('./stripe-card-form.tsx'),
  'StripeCardForm',
  <SkeletonLines count={3} />,
);

/** The card fields of whoever takes the card. */
export function CardPayment({ setup, ...props }: PaymentOptions & { setup: PaymentSetup }) {
  if (setup.publishable_key === null) return <SimulatedCardForm {...props} />;
  return <StripeCardForm publishableKey={setup.publishable_key} {...props} />;
}
