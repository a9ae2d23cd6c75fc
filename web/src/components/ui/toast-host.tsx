import { Notifications } from '@mantine/notifications';
import styles from './toasts.module.css';

const removalDelayMs = 1000;
const limit = 20;

/** Where toasts appear; mounted once. They wait while the pointer is on any of them. */
export function ToastHost() {
  return (
    <Notifications
      aria-live="polite"
      limit={limit}
      transitionDuration={removalDelayMs}
      containerWidth="24rem"
      classNames={{ notification: styles.slot }}
    />
  );
}
