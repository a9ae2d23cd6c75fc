import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { ApiError } from '@sluice/contract';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { messageOf } from '../lib/message-of.ts';
import { useLogout } from '../lib/session.ts';
import { readToken } from '../lib/token.ts';
import styles from './message-page.module.css';

/** What is shown when a page, or the check of who is signed in, fails for good. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  const logout = useLogout();
  useDocumentTitle('Something went wrong · Sluice');
  return (
    <div className={styles.page} role="alert">
      <h1>This page could not be loaded</h1>
      <p className={styles.text}>
        {messageOf(error, 'The gate could not be reached, or the page has a fault.')}
      </p>
      {error instanceof ApiError && error.requestId !== null && (
        <p className={styles.text}>
          Request <code>{error.requestId}</code>
        </p>
      )}
      <div className={styles.actions}>
        <Button onClick={() => router.invalidate()}>Try again</Button>
        {readToken() !== null && (
          <Button variant="default" onClick={logout}>
            Logout
          </Button>
        )}
      </div>
    </div>
  );
}
