import { randomId } from '@mantine/hooks';
import { type NotificationData, notifications, notificationsStore } from '@mantine/notifications';
import { StatusShape } from './status-mark.tsx';
import styles from './toasts.module.css';

/** Further toasts are queued. */
export const toastLimit = 20;

const blankMs = 4000;
const errorMs = 4000;
const successMs = 2000;

// Mantine reads the limit from the host, which may be mounted after the first toasts.
notificationsStore.updateState((state) => ({ ...state, limit: toastLimit }));

export const showMessage = (message: string): void => void show({ message, autoClose: blankMs });

/** Id of the last toast for each subject. */
const shownIds = new Map<string, string>();

/** Replaces the previous toast with the same message. */
export const showSuccess = (message: string): void => showInPlace(success(message), message);

/** Replaces the previous error about the same subject, which defaults to the message. */
export const showError = (message: string, subject = message): void => showInPlace(failure(message), subject);

function showInPlace(toast: NotificationData, subject: string): void {
  const former = shownIds.get(subject);
  if (former !== undefined) notifications.hide(former);
  const id = show({ ...toast, onClose: () => forgetToast(subject, id) });
  shownIds.set(subject, id);
}

function forgetToast(subject: string, id: string): void {
  if (shownIds.get(subject) === id) shownIds.delete(subject);
}

interface Loading {
  succeed: (message: string) => void;
  fail: (message: string) => void;
  dismiss: () => void;
}

/** The toast has no timeout. The outcome replaces it. */
export function showLoading(message: string): Loading {
  const id = show({ message, loading: true, autoClose: false, withCloseButton: false });
  return {
    succeed: (outcome) => {
      notifications.update(withDefaults({ ...success(outcome), id, loading: false, withCloseButton: true }));
    },
    // An error is a new toast, because screen readers announce an alert when it appears, not when an existing element
    // becomes an alert.
    dismiss: () => void notifications.hide(id),
    fail: (outcome) => {
      notifications.hide(id);
      showError(outcome);
    },
  };
}

/** The toast host announces all toasts except alerts. The role `none` prevents a second announcement. */
const defaults = {
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

function show(toast: NotificationData): string {
  return notifications.show(withDefaults({ id: randomId(), ...toast }));
}

/** The toast does not time out while it is focused or hovered. */
function withDefaults(toast: NotificationData): NotificationData {
  const { id, message, autoClose } = toast;
  return {
    ...defaults,
    ...toast,
    onFocusCapture: () => notifications.update({ id, message, autoClose: false }),
    onBlurCapture: () => notifications.update({ id, message, autoClose }),
  };
}
