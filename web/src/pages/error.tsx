import { Button } from '@mantine/core';
import { useDocumentTitle, useInterval } from '@mantine/hooks';
import { ApiError } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { isModuleError, isNetworkError, messageOf } from '../lib/describe-failure.ts';
import { homePathOf } from '../lib/home-path.ts';
import { modifierKey } from '../lib/keyboard.ts';
import { currentUserQuery, useLogout } from '../lib/session.ts';
import { readToken } from '../lib/token.ts';
import styles from './message-page.module.css';

const retryMs = 3000;

export function ErrorPage({ error }: ErrorComponentProps) {
  const router = useRouter();
  const logout = useLogout();
  const { title, text, retries } = describe(error);
  useDocumentTitle(`${title} · Sluice`);
  useInterval(() => retries && void router.invalidate(), retryMs, { autoInvoke: true });
  return (
    <div className={styles.page} role="alert">
      <h1>{title}</h1>
      <p className={styles.text}>{text}</p>
      {error instanceof ApiError && error.requestId !== null && (
        <p className={styles.text}>
          Request <code>{error.requestId}</code>
        </p>
      )}
      <div className={styles.actions}>
        <Button onClick={() => router.invalidate()}>Try Again</Button>
        {isModuleError(error) && navigator.onLine && (
          <Button variant="default" onClick={() => location.reload()}>
            Reload the page
          </Button>
        )}
        {readToken() !== null && (
          <Button variant="default" onClick={logout}>
            Logout
          </Button>
        )}
      </div>
    </div>
  );
}

interface Description {
  title: string;
  text: string;
  /** Whether the page retries by itself because the failure may be temporary. */
  retries: boolean;
}

function describe(error: unknown): Description {
  if (isModuleError(error) && navigator.onLine)
    return {
      title: 'This page could not be loaded',
      text: 'The code of this page could not be loaded: the network failed, or Sluice was updated in the meantime. The page retries every few seconds. If this does not help, reload it.',
      retries: true,
    };
  if (!navigator.onLine)
    return {
      title: 'You are offline',
      text: 'This page could not be fetched. It retries every few seconds and opens once you are online.',
      retries: true,
    };
  return isNetworkError(error)
    ? {
        title: 'The gateway cannot be reached',
        text: 'It may be restarting, or the network is down. This page retries every few seconds.',
        retries: true,
      }
    : {
        title: 'This page could not be loaded',
        text: messageOf(
          error,
          'This page failed because of an error in Sluice. Try again. If it fails again, contact the operator.',
        ),
        retries: false,
      };
}

export function NotFoundPage() {
  const { data: user } = useQuery({ ...currentUserQuery, enabled: false });
  useDocumentTitle('Page not found · Sluice');
  return (
    <div className={styles.page}>
      <p className={styles.code}>404</p>
      <h1>Page not found</h1>
      <p className={styles.text}>
        The URL may be wrong, or the page may have been removed.
        {user && (
          <>
            {' '}
            Press <kbd>{modifierKey} K</kbd> to find a page.
          </>
        )}
      </p>
      <Button component={Link} to={user ? homePathOf(user) : '/'} variant="default">
        {user ? 'Go to your home page' : 'Go to the start page'}
      </Button>
    </div>
  );
}
