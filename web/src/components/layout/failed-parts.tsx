import { Button } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { retryFailedParts, useHasFailedParts } from '../../lib/load-part.ts';
import { Notice } from '../ui/notice.tsx';
import styles from './failed-parts.module.css';

/** Says that a dialog or another part could not be loaded, over whatever page it belongs to. */
export function FailedParts() {
  const hasFailed = useHasFailedParts();
  useWindowEvent('online', retryFailedParts);
  return (
    <div role="alert" className={styles.place}>
      {hasFailed && (
        <Notice
          kind="bad"
          title="A part of this page could not be loaded."
          action={
            <div className={styles.actions}>
              <Button onClick={retryFailedParts}>Try again</Button>
              <Button variant="default" onClick={() => location.reload()}>
                Reload the page
              </Button>
            </div>
          }
        >
          Check your network and try again. If Sluice was updated meanwhile, reload the page.
        </Notice>
      )}
    </div>
  );
}
