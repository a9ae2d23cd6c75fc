import { Loader } from '@mantine/core';
import styles from './full-page-spinner.module.css';

/** While nothing else can be shown. `text` is said below it; without one, to screen readers alone. */
export function FullPageSpinner({ text }: { text?: string }) {
  return (
    <div className={styles.page} role="status">
      <Loader size="sm" aria-hidden />
      <span className={text === undefined ? 'visually-hidden' : styles.text}>{text ?? 'Loading'}</span>
    </div>
  );
}
