import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { LogsPlace } from '#lib/logs-place.ts';
import type { Scope } from './queries.ts';

/** Returns the log page with the rows behind a figure. */
export const rowsOf = ({ period, userId }: Scope, part: LogsPlace = {}): LogsPlace => ({
  start: period.start,
  end: period.end,
  ...(userId !== undefined && { user: userId }),
  status: 'admitted',
  ...part,
});

/** Link to rows of the log. */
export function RowsLink({ place, children }: { place: LogsPlace; children: ReactNode }) {
  return (
    <Link to="/admin/logs" search={place}>
      {children}
    </Link>
  );
}

export function useOpenRows(): (place: LogsPlace) => void {
  const navigate = useNavigate();
  return (place) => void navigate({ to: '/admin/logs', search: place });
}
