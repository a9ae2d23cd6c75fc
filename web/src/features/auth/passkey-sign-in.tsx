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

/** Uses the autofill of the email field if the browser supports it. */
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
  // Stops the autofill after a rejected passkey. An authenticator that confirms without the user would otherwise
  // submit the passkey forever.
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
    // Browsers allow one passkey request at a time, so the autofill request is canceled before the dialog opens.
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

/** Shorter than the lifetime of a challenge, so that the browser never signs an expired challenge. */
const renewMs = 4 * 60_000;

/** Returns `null` if autofill is unavailable, the user dismissed it, or `signal` aborted. */
async function signByAutofill(signal: AbortSignal): Promise<Proof | null> {
  if (!(await canAutofillPasskeys().catch(() => false))) return null;
  for (;;) {
    const renewal = AbortSignal.timeout(renewMs);
    try {
      const { challenge, options } = await calls.startPasskeySignIn(undefined, { signal });
      const passkey = await signFromAutofill(options, AbortSignal.any([signal, renewal]));
      return { challenge, passkey };
    } catch {
      // The user dismissed the autofill. The button still works.
      if (!renewal.aborted || signal.aborted) return null;
    }
  }
}
