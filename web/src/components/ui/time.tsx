import { formatFullTime, formatRelative } from '#lib/format-time.ts';
import { useNow } from '#lib/use-now.ts';
import styles from './time.module.css';
import { Tip } from './tip.tsx';

interface TimeProps {
  /** ISO 8601. */
  value: string;
  /** Whether the absolute time is a tab stop; `false` in long lists, whose rows open to show it. */
  isTabStop?: boolean;
}

/** Relative time, with the absolute time and its zone on hover and focus. */
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
