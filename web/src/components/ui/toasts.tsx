import { type NotificationData, notifications } from '@mantine/notifications';
import { StatusShape } from './status-mark.tsx';
import styles from './toasts.module.css';

export const blankMs = 4000;
const errorMs = 4000;
const successMs = 2000;

export const showMessage = (message: string): void => show({ message, autoClose: blankMs });

export const showSuccess = (message: string): void => show(success(message));

export const showError = (message: string): void => show(failure(message));

interface Loading {
  /** Turns the toast into a success. */
  succeed: (message: string) => void;
  /** Turns the toast into an error. */
  fail: (message: string) => void;
}

/** Stays until its outcome is told. */
export function showLoading(message: string): Loading {
  const id = notifications.show({
    ...look,
    message,
    loading: true,
    autoClose: false,
    withCloseButton: false,
  });
  return {
    succeed: (outcome) => {
      notifications.update({ id, withCloseButton: true, loading: false, ...look, ...success(outcome) });
    },
    // A new toast, since assistive technology speaks an alert when it appears, not when something turns into one.
    fail: (outcome) => {
      notifications.hide(id);
      showError(outcome);
    },
  };
}

/** The container speaks politely for all that are not alerts, so that each is said once. */
const look = {
  role: 'none',
  withBorder: true,
  closeButtonProps: { 'aria-label': 'Dismiss' },
  loaderProps: { size: 16, 'aria-hidden': true },
  classNames: {
    root: styles.toast,
    icon: styles.icon,
    loader: styles.loader,
    body: styles.body,
    description: styles.text,
  },
};

const success = (message: string): NotificationData => ({
  message,
  autoClose: successMs,
  icon: <StatusShape kind="ok" />,
});

const failure = (message: string): NotificationData => ({
  message,
  autoClose: errorMs,
  icon: <StatusShape kind="bad" />,
  role: 'alert',
});

function show(toast: NotificationData): void {
  notifications.show({ ...look, ...toast });
}
