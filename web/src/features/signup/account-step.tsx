import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef } from 'react';
import { EmailField, TextField } from '../../components/forms/text-field.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { PasswordField } from '../../components/ui/password-field.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { showError } from '../../components/ui/toasts.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { plansQuery } from '../../lib/plans.ts';
import { findProblem, type SignupDraft } from './draft.ts';
import { PlanChoice } from './plan-choice.tsx';
import styles from './steps.module.css';

interface AccountStepProps {
  draft: SignupDraft;
  onChange: (change: Partial<SignupDraft>) => void;
  onContinue: () => void;
}

/** Account and plan of the signup. Only the first problem is shown, as a toast. */
export function AccountStep({ draft, onChange, onContinue }: AccountStepProps) {
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const problem = findProblem(draft);
    if (!problem) return onContinue();
    showError(problem.message);
    form.current?.querySelector<HTMLElement>(`[name="${problem.field}"]`)?.focus();
  };
  const bind = (field: 'name' | 'email' | 'password' | 'confirmation' | 'company_name') => ({
    name: field,
    value: draft[field],
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ [field]: event.currentTarget.value }),
  });
  return (
    <form ref={form} className={styles.fields} onSubmit={submit} noValidate aria-label="Account details">
      <TextField label="Full Name" autoComplete="name" autoFocus {...bind('name')} />
      <EmailField label="Email" {...bind('email')} autoComplete="username" />
      <PasswordField
        label="Password"
        placeholder="Min. 6 characters"
        autoComplete="new-password"
        {...bind('password')}
      />
      <PasswordField label="Confirm Password" autoComplete="new-password" {...bind('confirmation')} />
      <TextField
        label="Company Name"
        placeholder="Optional"
        autoComplete="organization"
        {...bind('company_name')}
      />
      <Plans draft={draft} onChange={onChange} />
      <Button type="submit">Continue to Payment</Button>
      <p className="quiet">
        Already have an account? <Link to="/login">Log in</Link>
      </p>
    </form>
  );
}

function Plans({ draft, onChange }: Pick<AccountStepProps, 'draft' | 'onChange'>) {
  const plans = useQuery(plansQuery);
  const failure = describeFailure(plans, 'Failed to fetch plans');
  const hasFailed = failure !== null;
  useEffect(() => {
    if (hasFailed) showError('Failed to load plan details');
  }, [hasFailed]);
  if (failure) return <Failure {...failure} />;
  if (!plans.data) return <SkeletonLines count={6} />;
  return (
    <PlanChoice
      plans={plans.data}
      chosenId={draft.selected_plan_id}
      cycle={draft.billing_cycle}
      onChoose={(id) => onChange({ selected_plan_id: id })}
      onCycle={(billing_cycle) => onChange({ billing_cycle })}
    />
  );
}
