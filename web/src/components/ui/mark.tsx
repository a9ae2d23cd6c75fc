import styles from './mark.module.css';

/** Product logo (a gateway between two posts) and name. */
export function Mark() {
  return (
    <span className={styles.mark}>
      <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
        <path d="M3 4v12M17 4v12M3 7h14M7 7v6M10 7v8M13 7v6" />
      </svg>
      Sluice
    </span>
  );
}
