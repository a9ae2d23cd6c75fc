import { Button, TextInput } from '@mantine/core';
import { ApiError, loginForm } from '@sluice/contract';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { z } from 'zod';
import { PasswordField } from '#components/ui/password-field.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { canUsePasskeys } from '#lib/passkey.ts';
import { useSignIn } from '#lib/session.ts';
import styles from './sign-in-form.module.css';

interface FieldErrors {
  username?: string[];
  password?: string[];
}

interface SignInFormProps {
  email?: string;
  /** Called with the email on each change. */
  onEmail?: (email: string) => void;
  /** Other sign-in methods, shown above the password. */
  others?: ReactNode;
  /** The only origin on which passkeys work. `null` if passkeys are not configured, `undefined` while loading. */
  passkeyOrigin?: string | null | undefined;
}

const SecondFactorForm = lazyPart(() => import('./second-factor-form.tsx'), 'SecondFactorForm');
const PasskeySignIn = lazyPart(() => import('./passkey-sign-in.tsx'), 'PasskeySignIn');

/** Shows a second-factor step if the account requires it. */
export function SignInForm({ email, onEmail, others, passkeyOrigin }: SignInFormProps) {
  const [expiry, setExpiry] = useState<string | null>(null);
  const signIn = useMutation({ mutationFn: useSignIn() });
  const challenge = challengeOf(signIn.error);
  if (challenge === null) {
    const offersPasskeys = passkeyOrigin === window.location.origin && canUsePasskeys();
    const typed = signIn.variables?.username ?? email;
    const step = { email: typed, onEmail, isSecond: Boolean(others), offersPasskeys, signIn, notice: expiry };
    return (
      <>
        {others}
        <PasswordStep {...step} />
        {offersPasskeys && <PasskeySignIn />}
      </>
    );
  }
  const startAgain = (reason: string | null) => {
    setExpiry(reason);
    signIn.reset();
  };
  return <SecondFactorForm challenge={challenge} onStartAgain={startAgain} />;
}

/** Returns `null` unless the response requests a second factor. */
function challengeOf(error: Error | null): unknown {
  if (!(error instanceof ApiError) || error.status !== 401) return null;
  const { body } = error;
  const isChallenge = typeof body === 'object' && body !== null && 'ticket' in body;
  return isChallenge ? body : null;
}

interface PasswordStepProps extends Pick<SignInFormProps, 'email' | 'onEmail'> {
  isSecond: boolean;
  offersPasskeys: boolean;
  signIn: UseMutationResult<void, Error, z.infer<typeof loginForm>>;
  /** `null` on the first attempt. */
  notice: string | null;
}

function PasswordStep({ email, onEmail, isSecond, offersPasskeys, signIn, notice }: PasswordStepProps) {
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({});

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
        autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
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
        {!signIn.isError && notice !== null && <StatusMark kind="warn">{notice}</StatusMark>}
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
