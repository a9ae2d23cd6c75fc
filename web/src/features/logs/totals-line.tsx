import { parseLogQuery } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { type LogPace, totalsQuery } from './queries.ts';
import { lineOf } from './query-line.ts';
import type { LogsSearch } from './search.ts';
import styles from './totals-line.module.css';

/** The export contains the same rows. */
export function TotalsLine({ search, pace }: { search: LogsSearch; pace: LogPace }) {
  const { data, error } = useQuery(totalsQuery(search, pace));
  const refused = describeRefused(search);
  return (
    <div className={`num ${styles.totals}`} role="status" aria-label="Totals">
      {!data && !error && <SkeletonLines count={1} />}
      {!data && error && (
        <span className="quiet">{messageOf(error, 'The totals could not be computed')}</span>
      )}
      {data && (
        <>
          <strong>{formatQuantity(data.requests, 'request')}</strong>
          <span>{formatQuantity(data.total_tokens, 'token')}</span>
          <strong>{formatUsd(data.cost_usd)}</strong>
          {refused !== null && <span className="quiet">{refused} refused requests</span>}
          {!data.is_exact && <span className="quiet">of the newest million matching requests</span>}
        </>
      )}
    </div>
  );
}

/** Returns `null` if a filter selects a status or an error code. */
export function describeRefused(search: LogsSearch): 'including' | 'without' | null {
  const { status = search.status, error_code = search.reason } = parseLogQuery(lineOf(search)).filters;
  if (status === 'admitted') return 'without';
  return status === undefined && error_code === undefined ? 'including' : null;
}
