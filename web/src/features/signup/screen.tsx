import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { VisitorPage } from '../../components/layout/visitor-page.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { lazyFile, lazyPart } from '../../lib/lazy-part.tsx';
import { plansQuery } from '../../lib/plans.ts';
import { usePreload } from '../../lib/use-preload.ts';
import { AccountStep } from './account-step.tsx';
import { ConfirmStep } from './confirm-step.tsx';
import { emptyDraft } from './draft.ts';
import { SuccessStep } from './success-step.tsx';

interface SignupScreenProps {
  /** Plan of the link that led to the signup. */
  planId: string | undefined;
  trialDays: number;
}

type Step = 'account' | 'card' | 'confirm' | 'success';

/** Account, card and success steps; values are kept when going back. */
export function SignupScreen({ planId = '', trialDays }: SignupScreenProps) {
  const [draft, setDraft] = useState({ ...emptyDraft, selected_plan_id: planId });
  const [step, setStep] = useState<Step>('account');
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
          onCreated={(needsConfirmation) => setStep(needsConfirmation ? 'confirm' : 'success')}
        />
      </VisitorPage>
    );
  return (
    <VisitorPage
      title="Create your account"
      subtitle={`Every plan begins with a ${trialDays}-day trial. Step 1 of 3`}
    >
      <AccountStep
        // An unknown plan counts as none.
        draft={plans && !plan ? { ...draft, selected_plan_id: '' } : draft}
        onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
        onContinue={() => setStep('card')}
      />
    </VisitorPage>
  );
}

const loadCardStep = lazyFile(() => import('./card-step.tsx'));
const CardStep = lazyPart(loadCardStep, 'CardStep');
