import styles from './quota-bar.module.css';

const nearlyUsedUp = 0.8;

interface QuotaBarProps {
  used: number;
  /** `null` means unlimited; no bar is drawn. */
  limit: number | null;
  className?: string | undefined;
}

/** Hidden from screen readers, because the figures are text next to the bar. */
export function QuotaBar({ used, limit, className = '' }: QuotaBarProps) {
  if (limit === null) return null;
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  return (
    <span className={`${styles.track} ${className}`} aria-hidden="true">
      <span className={fillOf(share)} style={{ width: `${share * 100}%` }} />
    </span>
  );
}

function fillOf(share: number): string | undefined {
  if (share === 1) return styles.full;
  return share > nearlyUsedUp ? styles.nearlyFull : styles.fill;
}
