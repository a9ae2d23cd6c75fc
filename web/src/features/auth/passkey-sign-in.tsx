import { Button } from '@mantine/core';
import { type finishPasskeySignInBody, secondFactorRoutes } from '@sluice/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { z } from 'zod';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { createApiClient } from '#lib/api.ts';
import { messageOf } from '#lib/describe-failure.ts';
import { canAutofillPasskeys, signFromAutofill, signWithPasskey } from '#lib/passkey.ts';
import { useStartSession } from '#lib/session.ts';
import styles from './sign-in-form.module.css';

const calls = createApiClient(secondFactorRoutes, { isSessionKept: true });

type Proof = z.input<typeof finishPasskeySignInBody>;

/** Sign-in with a passkey alone: by the button, or by the autofill of the email field if the browser offers it. */
export function PasskeySignIn() {
  const startSession = useStartSession();
  const signIn = useMutation({
    mutationFn: async (chosen: Proof | null) => {
      const { access_token } = await calls.finishPasskeySignIn({ body: chosen ?? (await sign()) });
      return startSession(access_token);
    },
  });
  const { mutate } = signIn;
  const isBusy = signIn.isPending || signIn.isSuccess;
  // An authenticator that confirms by itself would otherwise repeat a rejected passkey without end.
  const hasAutofillFailed = signIn.isError && signIn.variables !== null;
  const autofill = useRef<AbortController>(null);
  useEffect(() => {
    if (isBusy || hasAutofillFailed) return;
    const waiting = new AbortController();
    autofill.current = waiting;
    void signByAutofill(waiting.signal).then((proof) => proof && !waiting.signal.aborted && mutate(proof));
    return () => waiting.abort();
  }, [hasAutofillFailed, isBusy, mutate]);
  const open = () => {
    // Browsers allow one request at a time, so the dialog replaces the autofill.
    autofill.current?.abort();
    mutate(null);
  };
  return (
    <div className={styles.other}>
      <div role="alert" className={styles.problem}>
        {signIn.isError && (
          <StatusMark kind="bad">{messageOf(signIn.error, 'The passkey was not accepted')}</StatusMark>
        )}
      </div>
      <Button variant="default" size="md" fullWidth loading={isBusy} onClick={open}>
        Continue with a passkey
      </Button>
    </div>
  );
}

async function sign(): Promise<Proof> {
  const { challenge, options } = await calls.startPasskeySignIn();
  return { challenge, passkey: await signWithPasskey(options) };
}

/** Less than the lifetime of a challenge, so that the browser never signs an expired one. */
const renewMs = 4 * 60_000;

/** Returns `null` if the browser offers no autofill, or the signal aborted. */
async function signByAutofill(signal: AbortSignal): Promise<Proof | null> {
  if (!(await canAutofillPasskeys().catch(() => false))) return null;
  for (;;) {
    const renewal = AbortSignal.timeout(renewMs);
    try {
      const { challenge, options } = await calls.startPasskeySignIn(undefined, { signal });
      const passkey = await signFromAutofill(options, AbortSignal.any([signal, renewal]));
      return { challenge, passkey };
    } catch {
      // The user chose no passkey; the button still works.
      if (!renewal.aborted || signal.aborted) return null;
    }
  }
}
