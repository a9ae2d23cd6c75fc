import { Button } from '@mantine/core';
import type { Plan } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { FocusedSection } from '../../components/ui/focused-section.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { formatPrice, isFree } from './plan-price.ts';
import styles from './steps.module.css';

interface SuccessStepProps {
  plan: Plan;
  email: string;
  trialDays: number;
}

/** Confirms the new account, with the started trial and next steps. */
export function SuccessStep({ plan, email, trialDays }: SuccessStepProps) {
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
