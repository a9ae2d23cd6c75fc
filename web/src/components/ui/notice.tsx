import { Button } from '@mantine/core';
import { ApiError } from '@sluice/contract';
import type { ReactNode } from 'react';
import failureStyles from './failure.module.css';
import styles from './notice.module.css';
import { StatusMark } from './status-mark.tsx';

interface NoticeProps {
  kind: 'ok' | 'warn' | 'bad' | 'off';
  title: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}

export function Notice({ kind, title, action, children }: NoticeProps) {
  return (
    <div className={`${styles.notice} ${styles[kind]}`}>
      <div>
        <StatusMark kind={kind}>{title}</StatusMark>
        {children && <div className={styles.more}>{children}</div>}
      </div>
      {action}
    </div>
  );
}

interface FailureProps {
  message: string;
  error: unknown;
  onRetry: () => void;
  retryLabel?: string;
}

export function Failure({ message, error, onRetry, retryLabel = 'Try Again' }: FailureProps) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div className={failureStyles.failure} role="alert">
      <div>
        <StatusMark kind="bad">{message}</StatusMark>
        {requestId !== null && (
          <p className={failureStyles.request}>
            Request <code>{requestId}</code>
          </p>
        )}
      </div>
      <Button variant="default" onClick={() => onRetry()}>
        {retryLabel}
      </Button>
    </div>
  );
}
