import { Button } from '@mantine/core';
import type { Plan } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { VisitorPage } from '#components/layout/visitor-page.tsx';
import { FocusedSection } from '#components/ui/focused-section.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { signInInput, useKeptInput } from '#lib/kept-input.ts';
import { lazyFile, lazyPart, usePreload } from '#lib/lazy-part.tsx';
import { formatPrice, isFree } from '#lib/plan-price.ts';
import { plansQuery } from '#lib/plans.ts';
import { AccountStep } from './account-step.tsx';
import { type DraftProblem, emptyDraft, type SignupDraft, storableOf } from './draft.ts';
import { useResendConfirmation } from './queries.ts';
import styles from './steps.module.css';

interface SignupScreenProps {
  /** Comes from the link to the signup page. */
  planId: string | undefined;
  trialDays: number;
}

type Step = 'account' | 'card' | 'confirm' | 'success';

/** Values are kept when the user goes back. */
export function SignupScreen({ planId = '', trialDays }: SignupScreenProps) {
  const { draft, step, problem, change, setStep, setProblem, refuse, finish } = useSignup(planId);
  const { data: plans } = useQuery(plansQuery);
  const plan = plans?.find(({ id }) => id === draft.selected_plan_id);
  usePreload(loadCardStep);
  if (step === 'confirm')
    return (
      <VisitorPage title="Confirm your email" subtitle="Step 3 of 3">
        <ConfirmStep email={draft.email} />
      </VisitorPage>
    );
  if (plan && step === 'success')
    return (
      <VisitorPage title="Your account is ready" subtitle="Step 3 of 3">
        <SuccessStep plan={plan} email={draft.email} trialDays={trialDays} />
      </VisitorPage>
    );
  if (plan && step === 'card')
    return (
      <VisitorPage title="Payment" subtitle="Step 2 of 3">
        <CardStep
          fallback={<SkeletonLines count={5} />}
          draft={draft}
          plan={plan}
          trialDays={trialDays}
          onBack={() => setStep('account')}
          onRefused={refuse}
          onCreated={finish}
        />
      </VisitorPage>
    );
  return (
    <VisitorPage
      title="Create your account"
      subtitle={`Every plan starts with a ${trialDays}-day trial. Step 1 of 3`}
    >
      <AccountStep
        // Treats an unknown plan id as no selection.
        draft={plans && !plan ? { ...draft, selected_plan_id: '' } : draft}
        linkedPlanId={planId}
        problem={problem}
        onProblem={setProblem}
        onChange={change}
        onContinue={() => setStep('card')}
      />
    </VisitorPage>
  );
}

/** The draft survives a reload, without the passwords. */
function useSignup(planId: string) {
  const [kept, keep, forget] = useKeptInput('signup', { ...storableOf(emptyDraft) });
  const [, keepSignIn] = useKeptInput(...signInInput);
  const [draft, setDraft] = useState<SignupDraft>({
    ...emptyDraft,
    ...kept,
    billing_cycle: kept.billing_cycle === 'yearly' ? 'yearly' : 'monthly',
    selected_plan_id: planId || kept.selected_plan_id,
  });
  const [problem, setProblem] = useState<DraftProblem | null>(null);
  const [step, setStep] = useState<Step>('account');
  const change = (changed: Partial<SignupDraft>) => {
    const next = { ...draft, ...changed };
    setDraft(next);
    keep(storableOf(next));
    if (problem && problem.field in changed) setProblem(null);
  };
  const refuse = (refused: DraftProblem | null) => {
    setProblem(refused);
    setStep('account');
  };
  const finish = (needsConfirmation: boolean) => {
    forget();
    keepSignIn({ email: draft.email });
    setStep(needsConfirmation ? 'confirm' : 'success');
  };
  return { draft, step, problem, change, setStep, setProblem, refuse, finish };
}

const loadCardStep = lazyFile(() => import('./card-step.tsx'));
const CardStep = lazyPart(loadCardStep, 'CardStep');

/**
 * Shown if the installation sends mail. The account is created when the user opens the link in the confirmation
 * email.
 */
function ConfirmStep({ email }: { email: string }) {
  const resend = useResendConfirmation();
  const send = () =>
    resend.mutate(email, {
      onSuccess: () => showSuccess('If a signup is pending, a new link has been sent.'),
      onError: (error) => showError(messageOf(error, 'Failed to send the email')),
    });
  return (
    <FocusedSection label="Confirm your email">
      <Notice kind="ok" title={`We sent an email to ${email}.`}>
        Open the link in it within 24 hours and enter the password that you chose. Check your spam folder too.
      </Notice>
      <div className={styles.buttons}>
        <Button variant="default" loading={resend.isPending} onClick={send}>
          Resend email
        </Button>
      </div>
    </FocusedSection>
  );
}

interface SuccessStepProps {
  plan: Plan;
  email: string;
  trialDays: number;
}

/** Confirmation of the new account, with the trial period and next steps. */
function SuccessStep({ plan, email, trialDays }: SuccessStepProps) {
  return (
    <FocusedSection label="Account created">
      <Notice kind="ok" title={`${email} can sign in now.`}>
        {isFree(plan)
          ? `You are on the plan ${plan.name}.`
          : `Your trial of ${plan.name} ends in ${trialDays} days; then it costs ${formatPrice(plan, 'monthly')}.`}
      </Notice>
      <div className={styles.buttons}>
        <Button renderRoot={(props) => <Link to="/login" search={{ signup: 'success' }} {...props} />}>
          Continue to Login
        </Button>
      </div>
    </FocusedSection>
  );
}
