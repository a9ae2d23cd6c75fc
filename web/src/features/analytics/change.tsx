import { formatAxisDay } from '#lib/format-day.ts';
import { formatShare } from '#lib/format-number.ts';
import styles from './figures.module.css';
import type { FigureChange } from './find-change.ts';

const leads = { none: 'None in', same: 'Same as', similar: 'About the same as' } as const;

/** The color is neutral, because an increase is neither good nor bad. */
export function Change({ change }: { change: FigureChange }) {
  if (change.kind === 'incomplete') return <>No usage before {formatAxisDay(change.since)}</>;
  const span = change.days === 1 ? 'the previous day' : `the previous ${change.days} days`;
  if (!('share' in change))
    return (
      <>
        {leads[change.kind]} {span}
      </>
    );
  const { kind, share } = change;
  return (
    <>
      <svg className={styles.arrow} width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
        <path d={kind === 'more' ? 'M4 1 8 7H0Z' : 'M4 7 0 1h8Z'} />
      </svg>
      <strong className={styles.change}>{formatShare(share)}</strong> {kind} than in {span}
    </>
  );
}
