import { Link } from '@tanstack/react-router';
import { formatCount } from '../../lib/format-number.ts';
import type { LogsPlace } from '../../lib/logs-place.ts';

/** Number of requests of a day, linked to the log. */
export function LogsCount({ day, count, part }: { day: string; count: number; part: LogsPlace }) {
  return (
    <Link to="/admin/logs" search={{ start: day, end: day, ...part }}>
      {formatCount(count)}
    </Link>
  );
}
