import { formatFullTime, formatRelative } from '#lib/format-time.ts';
import { useNow } from '#lib/use-now.ts';
import styles from './time.module.css';
import { Tip } from './tip.tsx';

interface TimeProps {
  /** ISO 8601. */
  value: string;
  /** Whether the absolute time is a tab stop. Use `false` in long lists whose opened rows show the absolute time. */
  isTabStop?: boolean;
}

/** The absolute time and its time zone appear on hover and focus. */
export function Time({ value, isTabStop = true }: TimeProps) {
  const nowMs = useNow();
  return (
    <Tip label={formatFullTime(value)}>
      <time dateTime={value} className={`num ${styles.time}`} tabIndex={isTabStop ? 0 : undefined}>
        {formatRelative(value, nowMs)}
      </time>
    </Tip>
  );
}
