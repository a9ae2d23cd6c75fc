import { confirmPasswordBody } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Form } from '#components/forms/form.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { PasswordField } from '#components/ui/password-field.tsx';
import { secondFactorQuery, useConfirmPassword } from './queries.ts';

/** Replaces `children` if the sign-in is too old for security changes. */
export function PasswordGate({ children }: { children: ReactNode }) {
  const { data } = useQuery(secondFactorQuery);
  return data?.needs_password ? <PasswordForm /> : children;
}

function PasswordForm() {
  const confirm = useConfirmPassword();
  const form = useContractForm({ schema: confirmPasswordBody, initialValues: { password: '' } });
  return (
    <Form
      form={form}
      submitLabel="Continue"
      pendingLabel="Checking..."
      fallbackProblem="The password could not be checked"
      isGuarded={false}
      onSubmit={({ password }) => confirm.mutateAsync(password)}
    >
      <p className="quiet">You signed in a while ago. Enter your password to continue.</p>
      <PasswordField
        label="Password"
        autoComplete="current-password"
        data-autofocus
        autoFocus
        {...form.bind('password')}
      />
    </Form>
  );
}
