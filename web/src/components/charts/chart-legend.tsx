import styles from './chart-legend.module.css';

interface LegendEntry {
  label: string;
  color: string;
  /** Dashes distinguish lines without relying on color. */
  dashes?: string | undefined;
}

export function ChartLegend({
  entries,
  isLine = false,
}: {
  entries: readonly LegendEntry[];
  isLine?: boolean;
}) {
  return (
    <ul className={styles.legend}>
      {entries.map(({ label, color, dashes }) => (
        <li key={label} className={styles.entry}>
          <Swatch color={color} dashes={dashes} isLine={isLine} />
          {label}
        </li>
      ))}
    </ul>
  );
}

interface SwatchProps {
  color: string;
  dashes?: string | undefined;
  isLine?: boolean;
}

export function Swatch({ color, dashes, isLine = false }: SwatchProps) {
  const width = isLine ? 18 : 10;
  return (
    <svg className={styles.swatch} width={width} height="10" aria-hidden="true" data-legend style={{ color }}>
      {isLine ? (
        <path d={`M0 5h${width}`} stroke="currentColor" strokeWidth="2" strokeDasharray={dashes} />
      ) : (
        <rect width="10" height="10" rx="2" fill="currentColor" />
      )}
    </svg>
  );
}
