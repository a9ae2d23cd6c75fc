import { type SignInPolicy, updateSignInPolicyBody } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { ChecklistField } from '#components/forms/checklist-field.tsx';
import { Form } from '#components/forms/form.tsx';
import { NumberField } from '#components/forms/number-field.tsx';
import { SelectField } from '#components/forms/select-field.tsx';
import { type ContractForm, useContractForm } from '#components/forms/use-contract-form.ts';
import { Failure } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { administratorsQuery, policyQuery, useSavePolicy } from './queries.ts';
import { Section } from './section.tsx';

export function PolicySection() {
  const answer = useQuery(policyQuery);
  const { data: policy } = answer;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading the sign-in policy');
  return (
    <Section
      title="Sign-in policy"
      text="For all users of this tenant. API keys are not affected. Sessions that are older than a new limit expire. If passwords are no longer allowed, other users who signed in with a password are signed out. Super administrators can always use a password."
    >
      {failure && <Failure {...failure} />}
      {policy ? (
        <PolicyForm key={JSON.stringify(policy)} policy={policy} />
      ) : (
        !failure && <SkeletonLines count={5} />
      )}
    </Section>
  );
}

const passwordOptions = [
  { value: 'allowed', label: 'Allowed for all users' },
  { value: 'break_glass', label: 'Break-glass accounts only' },
] as const;

const accountOptions = [
  { value: 'created', label: 'Added at the first sign-in' },
  { value: 'invited', label: 'Only after an invitation' },
] as const;

type PolicyValues = SignInPolicy & Record<string, unknown>;

function PolicyForm({ policy }: { policy: SignInPolicy }) {
  const save = useSavePolicy();
  const form = useContractForm({
    schema: updateSignInPolicyBody,
    initialValues: { ...policy } as PolicyValues,
  });
  const { bind } = form;
  return (
    <Form
      form={form}
      submitLabel="Save policy"
      pendingLabel="Saving..."
      fallbackProblem="The policy could not be saved"
      needsChange
      onSubmit={async (body) => {
        await save.mutateAsync(body);
        showSuccess('Sign-in policy saved');
      }}
    >
      <SelectField label="Passwords" options={passwordOptions} {...bind('local_passwords')} />
      {form.values.local_passwords === 'break_glass' && <BreakGlassField form={form} />}
      <SelectField label="New accounts" options={accountOptions} {...bind('new_accounts')} />
      <NumberField label="Sessions end after" unit="hours" emptyMeans="absent" {...bind('session_hours')} />
      <NumberField
        label="Unused sessions end after"
        unit="minutes"
        placeholder="Never"
        emptyMeans="unlimited"
        {...bind('idle_minutes')}
      />
    </Form>
  );
}

interface BreakGlassFieldProps {
  form: Pick<ContractForm<PolicyValues, unknown>, 'values' | 'bind' | 'setValue'>;
}

/** These administrators may sign in with a password while the identity provider is unavailable. */
function BreakGlassField({ form: { values, bind, setValue } }: BreakGlassFieldProps) {
  const { data: administrators = [] } = useQuery(administratorsQuery);
  const { error } = bind('break_glass_users');
  const chosen = administrators.filter(({ id }) => values.break_glass_users.includes(id));
  return (
    <ChecklistField
      label="Break-glass accounts"
      emptyText="There are no administrators"
      options={administrators.map(({ email }) => email)}
      value={chosen.map(({ email }) => email)}
      error={error}
      data-path="break_glass_users"
      onChange={(emails) =>
        setValue(
          'break_glass_users',
          administrators.filter(({ email }) => emails.includes(email)).map(({ id }) => id),
        )
      }
    />
  );
}
