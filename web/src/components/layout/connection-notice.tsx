import { Button } from '@mantine/core';
import { StatusMark } from '../ui/status-mark.tsx';
import styles from './connection-notice.module.css';
import { useConnection } from './use-connection.ts';

/** Says that the gate cannot be reached, until it can; what is on the screen stays. */
export function ConnectionNotice() {
  const { isAway, retry } = useConnection();
  return (
    <div role="status">
      {isAway && (
        <div className={styles.notice}>
          <StatusMark kind="warn">
            {navigator.onLine ? 'The gate cannot be reached.' : 'You are offline.'} What you see may be old;
            it refreshes by itself once the gate answers.
          </StatusMark>
          <Button variant="default" onClick={retry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}
