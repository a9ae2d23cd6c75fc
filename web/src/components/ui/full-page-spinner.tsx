import { Loader } from '@mantine/core';
import styles from './full-page-spinner.module.css';

export function FullPageSpinner() {
  return (
    <div className={styles.page} role="status">
      <Loader size="sm" aria-hidden />
      <span className="visually-hidden">Loading</span>
    </div>
  );
}
