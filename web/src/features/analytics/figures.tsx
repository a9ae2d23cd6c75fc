import type { UsageFigures } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { StatStrip } from '../../components/ui/stat-strip.tsx';
import { formatCount, formatShare, formatTokens } from '../../lib/format-number.ts';
import styles from './figures.module.css';
import { findPeriodBefore } from './period.ts';
import { type Scope, usageFiguresQuery } from './queries.ts';
import { RowsLink, rowsOf } from './rows-link.tsx';

/** The four key figures, compared with the preceding period. */
export function Figures({ scope }: { scope: Scope }) {
  const { data } = useQuery(usageFiguresQuery(scope));
  const { data: before } = useQuery(usageFiguresQuery({ ...scope, period: findPeriodBefore(scope.period) }));
  const { days } = scope.period;
  const span = days === 1 ? 'the day before' : `the ${days} days before`;
  const stats = figures.map(({ label, read, format }) => ({
    label,
    value: data && <RowsLink place={rowsOf(scope)}>{format(read(data))}</RowsLink>,
    note: data && before ? <Change now={read(data)} before={read(before)} span={span} /> : <>&nbsp;</>,
  }));
  return <StatStrip label="Usage" stats={stats} />;
}

interface Figure {
  label: string;
  read: (usage: UsageFigures) => number;
  format: (value: number) => ReactNode;
}

const formatAverage = (value: number) => formatCount(Math.round(value * 10) / 10);

const figures: readonly Figure[] = [
  { label: 'Total Requests', read: (usage) => usage.total_requests, format: formatCount },
  { label: 'Avg Requests/Day', read: (usage) => usage.avg_requests_per_day, format: formatAverage },
  {
    label: 'Total Tokens',
    read: (usage) => usage.total_tokens_used,
    format: (tokens) => <span title={`${formatCount(tokens)} tokens`}>{formatTokens(tokens)}</span>,
  },
  { label: 'Active Users', read: (usage) => usage.active_users, format: formatCount },
];

/** `▲ 8.1% on the 30 days before`, in a neutral color: more is neither good nor bad. */
function Change({ now, before, span }: { now: number; before: number; span: string }) {
  if (before === 0) return <>{now === 0 ? `None in ${span} either` : `None in ${span}`}</>;
  if (now === before) return <>As in {span}</>;
  const isMore = now > before;
  return (
    <>
      <svg className={styles.arrow} width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
        <path d={isMore ? 'M4 1 8 7H0Z' : 'M4 7 0 1h8Z'} />
      </svg>
      <strong className={styles.change}>{formatShare(Math.abs(now - before) / before)}</strong>{' '}
      {isMore ? 'more' : 'less'} than in {span}
    </>
  );
}
