import type { PaymentSetup } from '@sluice/contract';
import { useState } from 'react';
import { Dialog } from '../../components/ui/dialog.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { showSuccess } from '../../components/ui/toasts.tsx';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { SimulatedSetupForm } from './simulated-setup-form.tsx';

/** Loads Stripe's script. */
const StripeSetupForm = lazyPart(
  () => import('./stripe-setup-form.tsx'),
  'StripeSetupForm',
  <SkeletonLines count={3} />,
);

interface AddCardDialogProps {
  setup: PaymentSetup;
  isOpen: boolean;
  onClose: () => void;
}

/** Card fields of the payment provider. */
export function AddCardDialog({ setup, isOpen, onClose }: AddCardDialogProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const close = () => {
    setProblem(null);
    onClose();
  };
  const options = {
    onFailed: setProblem,
    onAdded: () => {
      showSuccess('Payment method added');
      close();
    },
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title="Add payment method">
      {problem !== null && (
        <div role="alert">
          <StatusMark kind="bad">{problem}</StatusMark>
        </div>
      )}
      {setup.publishable_key === null ? (
        <SimulatedSetupForm {...options} />
      ) : (
        <StripeSetupForm publishableKey={setup.publishable_key} {...options} />
      )}
    </Dialog>
  );
}
