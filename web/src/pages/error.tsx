import { Button } from '@mantine/core';
import { useDocumentTitle, useInterval } from '@mantine/hooks';
import { ApiError } from '@sluice/contract';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { messageOf } from '../lib/message-of.ts';
import { isNetworkError } from '../lib/network-error.ts';
import { useLogout } from '../lib/session.ts';
import { readToken } from '../lib/token.ts';
import styles from './message-page.module.css';

const retryMs = 3000;

/** Error page for a page or a session check that failed. */
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

interface Description {
  title: string;
  text: string;
  /** Whether the failure may be temporary. */
  retries: boolean;
}

function describe(error: unknown): Description {
  return isNetworkError(error)
    ? {
        title: 'The gate cannot be reached',
        text: 'It may be restarting, or the network is down. This page tries again every few seconds.',
        retries: true,
      }
    : {
        title: 'This page could not be loaded',
        text: messageOf(
          error,
          'The page has a fault. Trying again may help. If not, tell the person who runs Sluice.',
        ),
        retries: false,
      };
}
