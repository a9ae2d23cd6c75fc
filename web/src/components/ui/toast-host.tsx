import { Notifications } from '@mantine/notifications';
import styles from './toasts.module.css';
import { toastLimit } from './toasts.tsx';

const removalDelayMs = 1000;

/** Mounted once. Toasts do not time out while the pointer is over any of them. */
export function ToastHost() {
  return (
    <Notifications
      aria-live="polite"
      limit={toastLimit}
      transitionDuration={removalDelayMs}
      containerWidth="24rem"
      classNames={{ root: styles.host, notification: styles.slot }}
    />
  );
}
