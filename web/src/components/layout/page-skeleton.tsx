import styles from './skeleton.module.css';

const rows = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

/** A page before it is here: heading, subtitle and a panel of rows. */
export function PageSkeleton() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading...</span>
      <div className={`${styles.bar} ${styles.heading}`} />
      <div className={`${styles.bar} ${styles.subtitle}`} />
      <div className={styles.panel}>
        {rows.map((row) => (
          <div key={row} className={styles.row}>
            <div className={styles.bar} />
            <div className={styles.bar} />
            <div className={styles.bar} />
          </div>
        ))}
      </div>
    </div>
  );
}
