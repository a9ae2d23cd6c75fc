import { acceptInvitationBody, foldPassword, type InvitationDetails } from '@sluice/contract';
import { z } from 'zod';
import { Form } from '#components/forms/form.tsx';
import { TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { RoleBadge } from '#components/ui/badge.tsx';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { PasswordField } from '#components/ui/password-field.tsx';
import styles from './facts.module.css';
import { useAcceptInvitation } from './queries.ts';

const acceptForm = acceptInvitationBody
  .extend({ confirmation: z.string().overwrite(foldPassword) })
  .refine(({ password, confirmation }) => password === confirmation, {
    path: ['confirmation'],
    message: 'Passwords do not match',
  })
  .transform(({ name, password }) => ({ name, password }));

interface AcceptInvitationFormProps {
  token: string;
  email: string;
  onAccepted: () => void;
}

export function AcceptInvitationForm({ token, email, onAccepted }: AcceptInvitationFormProps) {
  const accept = useAcceptInvitation();
  const form = useContractForm({
    schema: acceptForm,
    initialValues: { name: '', password: '', confirmation: '' },
  });
  return (
    <Form
      form={form}
      submitLabel="Create Account"
      pendingLabel="Creating Account..."
      fallbackProblem="Failed to accept invitation"
      isGuarded={false}
      onSubmit={async (body) => {
        await accept.mutateAsync({ params: { token }, body });
        onAccepted();
      }}
    >
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <TextField label="Full Name" autoComplete="name" autoFocus {...form.bind('name')} />
      <PasswordField
        label="Password"
        placeholder="Min. 6 characters"
        autoComplete="new-password"
        {...form.bind('password')}
      />
      <PasswordField label="Confirm Password" autoComplete="new-password" {...form.bind('confirmation')} />
    </Form>
  );
}

const whatRolesDo: Readonly<Record<InvitationDetails['role_name'], string>> = {
  super_admin: 'You will operate the platform and every tenant on it.',
  admin: 'You will manage the users, providers, tasks and limits of this company.',
  user: 'You will use the models that you are granted, for the tasks that you are assigned.',
};

export function InvitationFacts({ details }: { details: InvitationDetails }) {
  const { company_name, email, inviter_name, role_name } = details;
  return (
    <>
      <div className={styles.facts}>
        <FactList>
          <Fact name="Company">{company_name}</Fact>
          <Fact name="Invited by">{inviter_name}</Fact>
          <Fact name="Role">
            <RoleBadge name={role_name} />
          </Fact>
          <Fact name="Email">{email}</Fact>
        </FactList>
      </div>
      <p className={`quiet ${styles.role}`}>
        {whatRolesDo[role_name]} Your requests are logged, and administrators of {company_name} can read them.
      </p>
    </>
  );
}
