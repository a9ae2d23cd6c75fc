import { Button } from '@mantine/core';
import type { BillingCycle, Plan } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useId, useRef } from 'react';
import { SwitchField } from '#components/forms/checked-fields.tsx';
import { EmailField, TextField } from '#components/forms/text-field.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { PasswordField } from '#components/ui/password-field.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { showError } from '#components/ui/toasts.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatPrice, isFree, savingsPercent } from '#lib/plan-price.ts';
import { formatPlanSeats, plansQuery } from '#lib/plans.ts';
import { type DraftProblem, findProblem, type SignupDraft } from './draft.ts';
import planChoiceStyles from './plan-choice.module.css';
import styles from './steps.module.css';

interface PlanChoiceProps {
  plans: readonly Plan[];
  chosenId: string;
  cycle: BillingCycle;
  problem: string | undefined;
  onChoose: (id: string) => void;
  onCycle: (cycle: BillingCycle) => void;
}

function PlanChoice({ plans, chosenId, cycle, problem, onChoose, onCycle }: PlanChoiceProps) {
  const name = useId();
  const chosen = plans.find(({ id }) => id === chosenId);
  return (
    <>
      <fieldset className={planChoiceStyles.plans} data-error={problem ? true : undefined}>
        <legend>Plan</legend>
        {plans.map((plan) => (
          <label key={plan.id} className={planChoiceStyles.plan}>
            <input
              type="radio"
              name={name}
              data-field="selected_plan_id"
              aria-describedby={problem && `${name}-problem`}
              value={plan.id}
              checked={plan.id === chosenId}
              onChange={() => onChoose(plan.id)}
            />
            <span className={planChoiceStyles.name}>{plan.name}</span>
            <span className={`num ${planChoiceStyles.price}`}>{formatPrice(plan, cycle)}</span>
            <span className={planChoiceStyles.seats}>{formatPlanSeats(plan)}</span>
          </label>
        ))}
        {problem && (
          <p id={`${name}-problem`} className={planChoiceStyles.problem}>
            {problem}
          </p>
        )}
      </fieldset>
      {plans.some((plan) => !isFree(plan)) && !(chosen && isFree(chosen)) && (
        <SwitchField
          label="Yearly billing"
          description={`Saves ${savingsPercent(chosen ?? firstPaid(plans))}%`}
          checked={cycle === 'yearly'}
          onChange={({ currentTarget }) => onCycle(currentTarget.checked ? 'yearly' : 'monthly')}
        />
      )}
    </>
  );
}

const noPrice = { price_monthly: 0, price_yearly: 0 };

const firstPaid = (plans: readonly Plan[]) => plans.find((plan) => !isFree(plan)) ?? noPrice;

interface AccountStepProps {
  draft: SignupDraft;
  /** Comes from the link to the signup page, or is an empty string. */
  linkedPlanId: string;
  /** The problem is cleared when its field changes. */
  problem: DraftProblem | null;
  onProblem: (problem: DraftProblem) => void;
  onChange: (change: Partial<SignupDraft>) => void;
  onContinue: () => void;
}

/** Only the first problem is shown: as a toast and at its field. */
export function AccountStep({
  draft,
  linkedPlanId,
  problem,
  onProblem,
  onChange,
  onContinue,
}: AccountStepProps) {
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = findProblem(draft);
    if (!found) return onContinue();
    onProblem(found);
    showError(found.message, 'signup');
    focusField(form.current, found.field);
  };
  // If the server rejected a value, the step opens again with that problem.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the step opens
  useEffect(() => {
    if (problem) focusField(form.current, problem.field);
  }, []);
  const errorOf = (field: keyof SignupDraft) => (problem?.field === field ? problem.message : undefined);
  return (
    <form ref={form} className={styles.fields} onSubmit={submit} noValidate aria-label="Account details">
      <AccountFields draft={draft} errorOf={errorOf} onChange={onChange} />
      <Plans
        draft={draft}
        linkedPlanId={linkedPlanId}
        problem={errorOf('selected_plan_id') ?? errorOf('billing_cycle')}
        onChange={onChange}
      />
      <Button type="submit">Continue to Payment</Button>
      <p className="quiet">
        Already have an account? <Link to="/login">Sign in</Link>
      </p>
    </form>
  );
}

interface AccountFieldsProps extends Pick<AccountStepProps, 'draft' | 'onChange'> {
  errorOf: (field: keyof SignupDraft) => string | undefined;
}

function AccountFields({ draft, errorOf, onChange }: AccountFieldsProps) {
  const bind = (field: 'name' | 'email' | 'password' | 'confirmation' | 'company_name') => ({
    name: field,
    value: draft[field],
    error: errorOf(field),
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ [field]: event.currentTarget.value }),
  });
  return (
    <>
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
    </>
  );
}

function focusField(form: HTMLElement | null, field: keyof SignupDraft): void {
  form?.querySelector<HTMLElement>(`[name="${field}"], [data-field="${field}"]`)?.focus();
}

interface PlansProps extends Pick<AccountStepProps, 'draft' | 'linkedPlanId' | 'onChange'> {
  problem: string | undefined;
}

function Plans({ draft, linkedPlanId, problem, onChange }: PlansProps) {
  const plans = useQuery(plansQuery);
  const failure = describeFailure(plans, 'Failed to fetch plans');
  const isUnknown = linkedPlanId !== '' && plans.data?.every(({ id }) => id !== linkedPlanId);
  const hasFailed = failure !== null || isUnknown;
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
      problem={problem}
      onChoose={(id) => onChange({ selected_plan_id: id })}
      onCycle={(billing_cycle) => onChange({ billing_cycle })}
    />
  );
}
