import { Anchor, Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useParams, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { VisitorPage } from '#components/layout/visitor-page.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { useFinishSignIn } from '#features/auth/provider-calls.ts';
import { finishTest } from '#features/identity-providers/test-sign-in.ts';
import { messageOf } from '#lib/describe-failure.ts';
import { homePathOf, isOwnPath } from '#lib/home-path.ts';
import { loadCurrentUser } from '#lib/session.ts';
import { loadedQuery, readAttempt, type SignInAttempt } from '#lib/sign-in-attempt.ts';
import styles from './login-callback.module.css';

export function LoginCallbackPage() {
  const [attempt] = useState(readAttempt);
  useDocumentTitle('Signing in · Sluice');
  const finish = useFinish(attempt);
  const isStarted = useRef(false);
  const { mutate } = finish;
  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    mutate();
  }, [mutate]);
  if (finish.isError)
    return <Problem text={messageOf(finish.error, 'The sign-in failed')} attempt={attempt} />;
  return (
    <VisitorPage title="Signing in" subtitle={subtitleOf(attempt)}>
      <p role="status">One moment, please.</p>
    </VisitorPage>
  );
}

const subtitleOf = (attempt: SignInAttempt | null) =>
  attempt ? `With ${attempt.provider.name}` : 'Sign in to Sluice';

/**
 * Finishes the sign-in. `attempt` is `null` if this tab did not start the sign-in; a cookie then proves that the
 * browser did.
 */
function useFinish(attempt: SignInAttempt | null) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const finishSignIn = useFinishSignIn();
  const { callback } = useParams({ from: '/login/callback/$callback' });
  const redirected = { response: loadedQuery, callback };
  return useMutation({
    mutationFn: async () => {
      if (attempt?.purpose === 'test') {
        await finishTest(queryClient, attempt, redirected);
        return router.navigate({ to: '/admin/identity-providers', replace: true });
      }
      await finishSignIn(attempt, redirected);
      const user = await loadCurrentUser(queryClient);
      const redirect = attempt?.redirect ?? null;
      const home = user ? homePathOf(user) : '/login';
      return router.navigate({
        href: redirect !== null && isOwnPath(redirect) ? redirect : home,
        replace: true,
      });
    },
  });
}

function Problem({ text, attempt }: { text: string; attempt: SignInAttempt | null }) {
  const isTest = attempt?.purpose === 'test';
  return (
    <VisitorPage title="You are not signed in" subtitle={subtitleOf(attempt)}>
      <div role="alert">
        <Notice kind="bad" title={text} />
      </div>
      <div className={styles.ways}>
        {isTest ? (
          <Button component={Link} to="/admin/identity-providers" size="md" fullWidth>
            Back to identity providers
          </Button>
        ) : (
          <Button component={Link} to="/login" size="md" fullWidth>
            Try again
          </Button>
        )}
        <Anchor component={Link} to="/login">
          Sign in with a password
        </Anchor>
      </div>
    </VisitorPage>
  );
}
