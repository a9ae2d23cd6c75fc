import styles from './skeleton.module.css';

const rows = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

/** Page placeholder: heading, subtitle and a panel with rows. */
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

const sidebarWidths = [62, 44, 58, 84, 60, 92, 48, 80];

export function ShellSkeleton() {
  return (
    <div className={styles.shell}>
      <div className={styles.header} aria-hidden="true">
        <div className={styles.bar} style={{ width: 78 }} />
        <div className={`${styles.bar} ${styles.search}`} />
        <div className={styles.circle} />
      </div>
      <div className={styles.sidebar} aria-hidden="true">
        {sidebarWidths.map((width) => (
          <div key={width} className={styles.item}>
            <div className={styles.icon} />
            <div className={styles.bar} style={{ width }} />
          </div>
        ))}
      </div>
      <div className={styles.content}>
        <PageSkeleton />
      </div>
    </div>
  );
}
