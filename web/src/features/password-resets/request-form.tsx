import { foldPassword, requestPasswordResetBody, resetPasswordBody } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { z } from 'zod';
import { Form } from '#components/forms/form.tsx';
import { EmailField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { PasswordField } from '#components/ui/password-field.tsx';
import { passwordResetSettingsQuery, useRequestPasswordReset, useResetPassword } from './queries.ts';

/** The response is the same for known and unknown email addresses. */
export function RequestPasswordResetForm({ onSent }: { onSent: (email: string) => void }) {
  const request = useRequestPasswordReset();
  const form = useContractForm({ schema: requestPasswordResetBody, initialValues: { email: '' } });
  return (
    <Form
      form={form}
      submitLabel="Send link"
      pendingLabel="Sending..."
      fallbackProblem="Failed to request a password reset"
      isGuarded={false}
      onSubmit={async (body) => {
        await request.mutateAsync(body.email);
        onSent(body.email);
      }}
    >
      <EmailField label="Email" autoComplete="username" autoFocus {...form.bind('email')} />
    </Form>
  );
}

const resetForm = resetPasswordBody
  .extend({ confirmation: z.string().overwrite(foldPassword) })
  .refine(({ password, confirmation }) => password === confirmation, {
    path: ['confirmation'],
    message: 'Passwords do not match',
  })
  .transform(({ password }) => ({ password }));

interface ResetPasswordFormProps {
  token: string;
  /** Email of the account, for password managers. */
  email: string;
  onReset: () => void;
}

export function ResetPasswordForm({ token, email, onReset }: ResetPasswordFormProps) {
  const reset = useResetPassword(token);
  const form = useContractForm({ schema: resetForm, initialValues: { password: '', confirmation: '' } });
  return (
    <Form
      form={form}
      submitLabel="Set password"
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

/** Offers a password reset mail, or contacting an administrator if the installation sends no mail. */
export function ForgottenPassword() {
  const { data } = useQuery(passwordResetSettingsQuery);
  if (data?.has_mail_server) return <Link to="/reset-password">Forgot your password?</Link>;
  return 'Forgot your password? Ask your administrator.';
}
