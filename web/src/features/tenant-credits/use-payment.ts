import { useState } from 'react';
import { messageOf } from '#lib/describe-failure.ts';
import { useConfirmPayment } from './queries.ts';

/** The payment is created but not paid yet. */
export interface PendingPayment {
  readonly intentId: string;
  readonly clientSecret: string;
  readonly amount: number;
}

/** `needsApproval` means that the bank asks the cardholder for approval. */
export type CardOutcome =
  | { readonly kind: 'paid' }
  | { readonly kind: 'declined'; readonly message: string }
  | { readonly kind: 'needsApproval' };

export interface PaymentOptions {
  payment: PendingPayment;
  tenantId: number | undefined;
  onPaid: (amount: number) => void;
  onFailed: (message: string) => void;
}

/** Returns the current step and a function that pays by card and books the payment. */
export function usePayment({ payment, tenantId, onPaid, onFailed }: PaymentOptions) {
  const [step, setStep] = useState<'card' | 'approval' | 'processing'>('card');
  const confirm = useConfirmPayment();

  const book = async () => {
    try {
      const { amount_added } = await confirm.mutateAsync({ tenantId, intentId: payment.intentId });
      onPaid(amount_added);
    } catch (error) {
      onFailed(messageOf(error, 'Failed to confirm payment'));
    }
  };

  const pay = async (byCard: () => Promise<CardOutcome>) => {
    setStep('processing');
    try {
      const outcome = await byCard();
      if (outcome.kind === 'declined') onFailed(outcome.message);
      else if (outcome.kind === 'needsApproval') setStep('approval');
      else await book();
    } catch (error) {
      onFailed(messageOf(error, 'Payment processing failed'));
    }
  };
  return { step, pay };
}
