import { Button } from '@mantine/core';
import { ApiError } from '@sluice/contract';
import styles from './failure.module.css';
import { StatusMark } from './status-mark.tsx';

interface FailureProps {
  message: string;
  error: unknown;
  onRetry: () => void;
  retryLabel?: string;
}

/** Error message with its request id and a retry button. */
export function Failure({ message, error, onRetry, retryLabel = 'Try again' }: FailureProps) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div className={styles.failure} role="alert">
      <div>
        <StatusMark kind="bad">{message}</StatusMark>
        {requestId !== null && (
          <p className={styles.request}>
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
