import { Button } from '@mantine/core';
import { dismissFailedParts, retryFailedParts, useHasFailedParts } from '#lib/load-part.ts';
import { Notice } from '../ui/notice.tsx';
import styles from './failed-parts.module.css';

export function FailedParts() {
  if (!useHasFailedParts()) return null;
  return (
    <div role="alert" className={styles.place}>
      <Notice
        kind="bad"
        title="This content could not be loaded."
        action={
          <div className={styles.actions}>
            <Button onClick={retryFailedParts}>Try Again</Button>
            <Button variant="default" onClick={() => location.reload()}>
              Reload the page
            </Button>
            <Button variant="default" onClick={dismissFailedParts}>
              Not now
            </Button>
          </div>
        }
      >
        Check your network and try again. If Sluice was updated in the meantime, reload the page. The rest of
        the page works.
      </Notice>
    </div>
  );
}
