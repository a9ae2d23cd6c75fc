import { Button } from '@mantine/core';
import { Notice } from '../ui/notice.tsx';
import styles from './notices.module.css';
import { useConnection } from './use-connection.ts';

/** Notice shown while the server is unreachable; the page below stays. */
export function ConnectionNotice() {
  const { isAway, retry } = useConnection();
  return (
    <div role="status" className={styles.notices}>
      {isAway && (
        <Notice
          kind="warn"
          title={`${navigator.onLine ? 'The gate cannot be reached.' : 'You are offline.'} What you see may be old; it refreshes by itself once the gate answers.`}
          action={
            <Button variant="default" onClick={retry}>
              Try again
            </Button>
          }
        />
      )}
    </div>
  );
}
