import styles from './chart-tip.module.css';

export interface TipRow {
  /** Name of the series; absent if the tooltip has a single row. */
  name?: string;
  value: string;
  color?: string;
}

export function ChartTip({ title, rows }: { title: string; rows: readonly TipRow[] }) {
  return (
    <div className={styles.tip} role="status">
      <div className={styles.title}>{title}</div>
      {rows.map(({ name, value, color }) => (
        <div key={`${name} ${value}`} className={`num ${styles.row}`}>
          {color !== undefined && <span className={styles.swatch} style={{ background: color }} />}
          {name !== undefined && <span className={styles.name}>{name}</span>}
          <strong>{value}</strong>
        </div>
      ))}
    </div>
  );
}
