import { Button, TextInput } from '@mantine/core';
import { loginForm } from '@sluice/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { z } from 'zod';
import { PasswordField } from '#components/ui/password-field.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { useSignIn } from '#lib/session.ts';
import styles from './sign-in-form.module.css';

interface FieldErrors {
  username?: string[];
  password?: string[];
}

interface SignInFormProps {
  /** Initial email address. */
  email?: string;
  /** Called with the email as it is typed. */
  onEmail?: (email: string) => void;
  /** Whether the page offers another way to sign in first. */
  isSecond?: boolean;
}

export function SignInForm({ email, onEmail, isSecond = false }: SignInFormProps) {
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({});
  const signIn = useMutation({ mutationFn: useSignIn() });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = loginForm.safeParse(Object.fromEntries(new FormData(form)));
    const errors = fields.success ? {} : z.flattenError(fields.error).fieldErrors;
    setFieldErrors(errors);
    if (fields.success) signIn.mutate(fields.data);
    else form.querySelector<HTMLElement>(`[name="${Object.keys(errors)[0]}"]`)?.focus();
  };

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextInput
        label="Email"
        name="username"
        type="email"
        size="md"
        autoComplete="username"
        defaultValue={email}
        autoFocus={email === undefined}
        onChange={({ currentTarget }) => onEmail?.(currentTarget.value)}
        error={fieldErrors.username?.[0]}
      />
      <PasswordField
        label="Password"
        name="password"
        size="md"
        autoComplete="current-password"
        autoFocus={email !== undefined}
        error={fieldErrors.password?.[0]}
      />
      <div role="alert" className={styles.problem}>
        {signIn.isError && <StatusMark kind="bad">{messageOf(signIn.error, 'Login failed')}</StatusMark>}
      </div>
      <Button
        type="submit"
        size="md"
        fullWidth
        variant={isSecond ? 'default' : 'filled'}
        loading={signIn.isPending || signIn.isSuccess}
      >
        Sign in
      </Button>
    </form>
  );
}
