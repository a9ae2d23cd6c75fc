import { resetPasswordBody } from '@sluice/contract';
import { z } from 'zod';
import { Form } from '../../components/forms/form.tsx';
import { useContractForm } from '../../components/forms/use-contract-form.ts';
import { PasswordField } from '../../components/ui/password-field.tsx';
import { useResetPassword } from './queries.ts';

const resetForm = resetPasswordBody
  .extend({ confirmation: z.string() })
  .refine(({ password, confirmation }) => password === confirmation, {
    path: ['confirmation'],
    message: 'Passwords do not match',
  })
  .transform(({ password }) => ({ password }));

interface ResetPasswordFormProps {
  token: string;
  /** Account e-mail, for password managers. */
  email: string;
  onReset: () => void;
}

export function ResetPasswordForm({ token, email, onReset }: ResetPasswordFormProps) {
  const reset = useResetPassword(token);
  const form = useContractForm({ schema: resetForm, initialValues: { password: '', confirmation: '' } });
  return (
    <Form
      form={form}
      submitLabel="Set Password"
      pendingLabel="Setting Password..."
      fallbackProblem="Failed to set the password"
      isGuarded={false}
      onSubmit={async (body) => {
        await reset.mutateAsync(body);
        onReset();
      }}
    >
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="New password"
        placeholder="Min. 6 characters"
        autoComplete="new-password"
        autoFocus
        {...form.bind('password')}
      />
      <PasswordField label="Confirm Password" autoComplete="new-password" {...form.bind('confirmation')} />
    </Form>
  );
}
