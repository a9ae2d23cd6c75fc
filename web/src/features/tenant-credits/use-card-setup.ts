import { useState } from 'react';
import { messageOf } from '#lib/describe-failure.ts';
import { createSetupIntent, useAddPaymentMethod } from './billing-queries.ts';

/** `needsApproval` means that the bank asks the cardholder for approval. */
export type SetupOutcome =
  | { readonly kind: 'ready'; readonly paymentMethodId: string }
  | { readonly kind: 'declined'; readonly message: string }
  | { readonly kind: 'needsApproval' };

export interface CardSetupOptions {
  onAdded: () => void;
  onFailed: (message: string) => void;
}

/** Returns the current step and a function that adds a card to the tenant. */
export function useCardSetup({ onAdded, onFailed }: CardSetupOptions) {
  const [step, setStep] = useState<'card' | 'approval' | 'processing'>('card');
  const [clientSecret, setClientSecret] = useState<string | null>(null);
  const add = useAddPaymentMethod();

  const fail = (message: string) => {
    setStep('card');
    onFailed(message);
  };

  const finish = async (outcome: SetupOutcome) => {
    if (outcome.kind === 'declined') return fail(outcome.message);
    if (outcome.kind === 'needsApproval') return setStep('approval');
    try {
      await add.mutateAsync(outcome.paymentMethodId);
      onAdded();
    } catch (error) {
      fail(messageOf(error, 'Failed to add payment method'));
    }
  };

  const setUp = async (byCard: (clientSecret: string) => Promise<SetupOutcome>) => {
    setStep('processing');
    try {
      const secret = clientSecret ?? (await createSetupIntent()).client_secret;
      setClientSecret(secret);
      await finish(await byCard(secret));
    } catch (error) {
      fail(
        messageOf(
          error,
          clientSecret === null ? 'Failed to create setup intent' : 'Payment processing failed',
        ),
      );
    }
  };
  return { step, setUp };
}
