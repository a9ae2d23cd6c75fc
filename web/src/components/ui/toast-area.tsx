import { Notifications } from '@mantine/notifications';
import styles from './toasts.module.css';
import { blankMs } from './toasts.tsx';

const removalDelayMs = 1000;
const limit = 20;

/** Where toasts appear; mounted once. A toast waits while the pointer or the focus is on any of them. */
export function ToastArea() {
  return (
    <Notifications
      aria-live="polite"
      limit={limit}
      autoClose={blankMs}
      transitionDuration={removalDelayMs}
      containerWidth="24rem"
      classNames={{ notification: styles.slot }}
    />
  );
}
