import { Button } from '@mantine/core';
import { tellFailedParts, useHasFailedParts } from '../../lib/load-part.ts';
import { Notice } from '../ui/notice.tsx';
import styles from './failed-parts.module.css';

/** Says that a dialog or another part could not be loaded, over whatever page it belongs to. */
export function FailedParts() {
  if (!useHasFailedParts()) return null;
  return (
    <div role="alert" className={styles.place}>
      <Notice
        kind="bad"
        title="A part of this page could not be loaded."
        action={
          <div className={styles.actions}>
            <Button onClick={() => location.reload()}>Reload the page</Button>
            <Button variant="default" onClick={() => tellFailedParts(false)}>
              Not now
            </Button>
          </div>
        }
      >
        Check your network, then reload the page. The rest of the page works.
      </Notice>
    </div>
  );
}
