import { acceptInvitationBody } from '@sluice/contract';
import { z } from 'zod';
import { Form } from '../../components/forms/form.tsx';
import { TextField } from '../../components/forms/text-field.tsx';
import { useContractForm } from '../../components/forms/use-contract-form.ts';
import { PasswordField } from '../../components/ui/password-field.tsx';
import { useAcceptInvitation } from './queries.ts';

const acceptForm = acceptInvitationBody
  .extend({ confirmation: z.string() })
  .refine(({ password, confirmation }) => password === confirmation, {
    path: ['confirmation'],
    message: 'Passwords do not match',
  })
  .transform(({ name, password }) => ({ name, password }));

interface AcceptInvitationFormProps {
  token: string;
  /** Account e-mail, for password managers. */
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
