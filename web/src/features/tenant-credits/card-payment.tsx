import type { PaymentSetup } from '@sluice/contract';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { SimulatedCardForm } from './simulated-card-form.tsx';
import type { PaymentOptions } from './use-payment.ts';

/** Loads Stripe's script. */
const StripeCardForm = lazyPart(
  () => import('./stripe-card-form.tsx'),
  'StripeCardForm',
  <SkeletonLines count={3} />,
);

/** Card fields of the payment provider. */
export function CardPayment({ setup, ...props }: PaymentOptions & { setup: PaymentSetup }) {
  if (setup.publishable_key === null) return <SimulatedCardForm {...props} />;
  return <StripeCardForm publishableKey={setup.publishable_key} {...props} />;
}
