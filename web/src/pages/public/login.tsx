import { useDocumentTitle } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { VisitorPage } from '#components/layout/visitor-page.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { SignInChoice } from '#features/auth/sign-in-choice.tsx';
import { ForgottenPassword } from '#features/password-resets/request-form.tsx';
import { signInInput, useKeptInput } from '#lib/kept-input.ts';
import { readSessionEnd } from '#lib/token.ts';
import styles from './login.module.css';

export function LoginPage() {
  const { signup, tenant, redirect } = useSearch({ from: '/login' });
  const [{ email }] = useKeptInput(...signInInput);
  const [hasLostSession] = useState(() => readSessionEnd() === 'refused');
  useDocumentTitle('Sign in · Sluice');
  return (
    <VisitorPage
      title="Sign in to Sluice"
      subtitle="Admin Dashboard Access"
      footer={
        <footer className={styles.footer}>
          Sluice at <code>{window.location.host}</code>
        </footer>
      }
    >
      {signup === 'success' && (
        <div className={styles.welcome}>
          <Notice kind="ok" title="Your account is ready. Sign in to start." />
        </div>
      )}
      {hasLostSession && (
        <div className={styles.welcome}>
          <Notice kind="warn" title="Your session has ended. Sign in to continue." />
        </div>
      )}
      <SignInChoice
        email={(signup === 'success' && email) || undefined}
        tenant={tenant}
        redirect={redirect ?? null}
      />
      <p className={`quiet ${styles.forgotten}`}>
        <ForgottenPassword />
      </p>
    </VisitorPage>
  );
}
