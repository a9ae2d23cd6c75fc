import { Button, TextInput } from '@mantine/core';
import {
  ApiError,
  type completeSignInBody,
  secondFactorChallenge,
  secondFactorRoutes,
} from '@sluice/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { z } from 'zod';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { createApiClient } from '#lib/api.ts';
import { messageOf } from '#lib/describe-failure.ts';
import { signWithPasskey } from '#lib/passkey.ts';
import { useStartSession } from '#lib/session.ts';
import styles from './second-factor-form.module.css';

const calls = createApiClient(secondFactorRoutes, { isSessionKept: true });

type Proof = z.input<typeof completeSignInBody>;
type Method = z.infer<typeof secondFactorChallenge>['methods'][number];

interface SecondFactorFormProps {
  /** Login response with the ticket and the second-factor methods. */
  challenge: unknown;
  /** The reason is `null` if the user chose to enter the password again. */
  onStartAgain: (reason: string | null) => void;
}

const digitsCount = 6;

/** Accepts an authenticator code, a recovery code or a passkey. */
export function SecondFactorForm({ challenge, onStartAgain }: SecondFactorFormProps) {
  const { methods, ...step } = secondFactorChallenge.parse(challenge);
  const [method, setMethod] = useState<Method>(methods[0] ?? 'recovery_code');
  const { complete, passkeySignIn, wrongTries, isBusy, reset } = useSecondStep(step, onStartAgain);
  const { ticket } = step;
  const problem = passkeySignIn.error ?? complete.error;
  const choose = (next: Method) => {
    reset();
    setMethod(next);
  };
  return (
    <section aria-label="Second step" className={styles.form}>
      {method === 'totp' && (
        <CodeStep key={wrongTries} isBusy={isBusy} onSubmit={(code) => complete.mutate({ ticket, code })} />
      )}
      {method === 'recovery_code' && (
        <RecoveryStep
          key={wrongTries}
          isBusy={isBusy}
          onSubmit={(code) => complete.mutate({ ticket, recovery_code: code })}
        />
      )}
      {method === 'passkey' && <PasskeyStep isBusy={isBusy} onUse={() => passkeySignIn.mutate()} />}
      <div role="alert" className={styles.problem}>
        {problem && (
          <StatusMark kind="bad">{messageOf(problem, 'The second factor was not accepted')}</StatusMark>
        )}
      </div>
      <OtherMethods methods={methods.filter((other) => other !== method)} onChoose={choose} />
      <Button variant="subtle" onClick={() => onStartAgain(null)}>
        Back to password
      </Button>
    </section>
  );
}

type Step = Pick<z.infer<typeof secondFactorChallenge>, 'ticket' | 'passkey_options'>;

function useSecondStep(
  { ticket, passkey_options: options }: Step,
  onStartAgain: SecondFactorFormProps['onStartAgain'],
) {
  /** Used as the form's key, so that each failure remounts the form with an empty field. */
  const [wrongTries, setWrongTries] = useState(0);
  const startSession = useStartSession();
  const complete = useMutation({
    mutationFn: async (proof: Proof) =>
      startSession((await calls.completeSignIn({ body: proof })).access_token),
    onError: (error) => {
      if (isSignInOver(error)) onStartAgain(error.message);
      else setWrongTries((tries) => tries + 1);
    },
  });
  const passkeySignIn = useMutation({
    mutationFn: async () => complete.mutateAsync({ ticket, passkey: await signWithPasskey(options ?? {}) }),
  });
  const isBusy = complete.isPending || complete.isSuccess || passkeySignIn.isPending;
  const reset = () => {
    complete.reset();
    passkeySignIn.reset();
  };
  return { complete, passkeySignIn, wrongTries, isBusy, reset };
}

/** True if the ticket expired or had too many failed attempts. */
function isSignInOver(error: Error): boolean {
  const body = error instanceof ApiError ? error.body : null;
  return typeof body === 'object' && body !== null && 'code' in body && body.code === 'sign_in_expired';
}

interface StepProps {
  isBusy: boolean;
  onSubmit: (typed: string) => void;
}

/** Submits the form once six digits are typed or pasted. */
function CodeStep({ isBusy, onSubmit }: StepProps) {
  const [code, setCode] = useState('');
  const change = (typed: string) => {
    const digits = typed.replaceAll(/\D/g, '').slice(0, digitsCount);
    setCode(digits);
    if (digits.length === digitsCount && digits !== code && !isBusy) onSubmit(digits);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.length === digitsCount && !isBusy) onSubmit(code);
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextInput
        label="Code from your authenticator app"
        placeholder="6 digits"
        size="md"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        classNames={{ input: styles.code }}
        value={code}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <Button type="submit" size="md" fullWidth loading={isBusy} disabled={code.length < digitsCount}>
        Continue
      </Button>
    </form>
  );
}

function RecoveryStep({ isBusy, onSubmit }: StepProps) {
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== '' && !isBusy) onSubmit(code.trim());
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextInput
        label="Recovery code"
        description="Each code works once."
        placeholder="xxxx-xxxx-xxxx"
        size="md"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        maxLength={40}
        classNames={{ input: styles.code }}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" size="md" fullWidth loading={isBusy} disabled={code.trim() === ''}>
        Continue
      </Button>
    </form>
  );
}

function PasskeyStep({ isBusy, onUse }: { isBusy: boolean; onUse: () => void }) {
  return (
    <>
      <p className="quiet">Your browser asks you for a passkey of this account.</p>
      <Button size="md" fullWidth autoFocus loading={isBusy} onClick={onUse}>
        Use passkey
      </Button>
    </>
  );
}

const methodLabels: Readonly<Record<Method, string>> = {
  totp: 'Use the authenticator app',
  passkey: 'Use a passkey',
  recovery_code: 'Use a recovery code',
};

function OtherMethods({ methods, onChoose }: { methods: Method[]; onChoose: (method: Method) => void }) {
  if (methods.length === 0) return null;
  return (
    <div className={styles.others}>
      {methods.map((method) => (
        <Button key={method} variant="default" onClick={() => onChoose(method)}>
          {methodLabels[method]}
        </Button>
      ))}
    </div>
  );
}
