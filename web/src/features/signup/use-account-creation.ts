import { ApiError, type SetupIntent } from '@sluice/contract';
import { useRef, useState } from 'react';
import { showLoading } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { type DraftProblem, emptyDraft, type SignupDraft } from './draft.ts';
import { createSetupIntent, type SignupBody, useSignUp } from './queries.ts';

/** `paymentMethodId` is `null` for a free plan. */
export interface ReadyCard {
  readonly paymentMethodId: string | null;
  readonly setupIntentId: string;
}

/** `needsApproval` means that the cardholder's bank requires a challenge. */
export type CardOutcome =
  | { readonly kind: 'ready'; readonly paymentMethodId: string | null }
  | { readonly kind: 'declined'; readonly message: string }
  | { readonly kind: 'needsApproval' };

interface AccountCreationOptions {
  draft: SignupDraft;
  /** If `needsConfirmation`, the account is created when the user opens the link in the confirmation email. */
  onCreated: (needsConfirmation: boolean) => void;
  onAccountRefused: (problem: DraftProblem | null) => void;
}

const trialDays = 14;
/** Status codes that reject the values or the card. Repeating the request with the same card cannot succeed. */
const refusals = [402, 403, 422];

/** After a lost response, the user can retry with the same card. */
export function useAccountCreation({ draft, onCreated, onAccountRefused }: AccountCreationOptions) {
  const [step, setStep] = useState<'card' | 'approval' | 'processing'>('card');
  const [problem, setProblem] = useState<string | null>(null);
  const [readyCard, setReadyCard] = useState<ReadyCard | null>(null);
  const intent = useRef<SetupIntent | null>(null);
  const toast = useProgressToast();
  const signUp = useSignUp();

  const fail = (message: string) => {
    toast.dismiss();
    setProblem(message);
    setStep('card');
  };

  const createAccount = async (card: ReadyCard) => {
    setStep('processing');
    toast.begin();
    try {
      const { needs_confirmation: needsConfirmation = false } = await signUp.mutateAsync(toBody(draft, card));
      toast.succeed(needsConfirmation ? 'Confirm your email to finish.' : 'Account created successfully!');
      onCreated(needsConfirmation);
    } catch (error) {
      const status = error instanceof ApiError ? error.status : null;
      setReadyCard(status !== null && refusals.includes(status) ? null : card);
      intent.current = null;
      const message = messageOf(error, 'Signup failed');
      if (status !== 422) return fail(message);
      toast.fail(message);
      onAccountRefused(findRefusedField(error));
    }
  };

  const setUpCard = async (confirm: (intent: SetupIntent) => Promise<CardOutcome>) => {
    setProblem(null);
    setStep('processing');
    toast.begin();
    try {
      intent.current ??= await createSetupIntent();
      const outcome = await confirm(intent.current);
      if (outcome.kind === 'declined') return fail(outcome.message);
      if (outcome.kind === 'needsApproval') return setStep('approval');
      const { setup_intent_id: setupIntentId } = intent.current;
      await createAccount({ paymentMethodId: outcome.paymentMethodId, setupIntentId });
    } catch (error) {
      const isUnmade = intent.current === null;
      fail(messageOf(error, isUnmade ? 'Failed to create setup intent' : 'Payment processing failed'));
    }
  };
  return { step, problem, readyCard, setUpCard, createAccount, forgetCard: () => setReadyCard(null) };
}

/** Shows a single toast from submission to outcome. */
function useProgressToast() {
  const toast = useRef<ReturnType<typeof showLoading> | null>(null);
  const end = (outcome: 'succeed' | 'fail' | 'dismiss', message: string) => {
    toast.current?.[outcome](message);
    toast.current = null;
  };
  return {
    begin: () => {
      toast.current ??= showLoading('Processing payment...');
    },
    succeed: (message: string) => end('succeed', message),
    fail: (message: string) => end('fail', message),
    /** Closes the toast without an outcome, because the page shows the outcome. */
    dismiss: () => end('dismiss', ''),
  };
}

/** Returns `null` if the server did not name a field. */
function findRefusedField(error: unknown): DraftProblem | null {
  const problems = error instanceof ApiError ? error.fieldProblems : [];
  const fields = Object.keys(emptyDraft) as (keyof SignupDraft)[];
  for (const { loc, msg } of problems) {
    const field = fields.find((name) => name === loc.at(-1));
    if (field) return { field, message: msg };
  }
  return null;
}

export type AccountCreation = ReturnType<typeof useAccountCreation>;

function toBody({ confirmation: _confirmation, ...account }: SignupDraft, card: ReadyCard): SignupBody {
  return {
    ...account,
    payment_method_id: card.paymentMethodId,
    setup_intent_id: card.setupIntentId,
    trial_days: trialDays,
  };
}
