import { Button, Modal } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { readToken } from '../../lib/token.ts';
import styles from './settings-form.module.css';

/** Asks before unsaved changes are lost: by another page here, by the browser when the tab is left. */
export function LeaveGuard({ isActive }: { isActive: boolean }) {
  const blocker = useBlocker({
    // Somebody who is signed out cannot save any more.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && readToken() !== null,
    enableBeforeUnload: true,
    disabled: !isActive,
    withResolver: true,
  });
  return (
    <Modal
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Leave without saving?"
      closeButtonProps={{ 'aria-label': 'Close' }}
      centered
      transitionProps={{ duration: 120, exitDuration: 80 }}
    >
      <p>What you changed here has not been saved.</p>
      <div className={styles.answers}>
        <Button variant="default" data-autofocus onClick={() => blocker.reset?.()}>
          Stay
        </Button>
        <Button onClick={() => blocker.proceed?.()}>Leave and discard</Button>
      </div>
    </Modal>
  );
}
