import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { LogsPlace } from '#lib/logs-place.ts';
import type { Scope } from './queries.ts';

/** Returns the log page with the rows behind a figure. */
export const rowsOf = ({ period, filters }: Scope, part: LogsPlace = {}): LogsPlace => ({
  start: period.start,
  end: period.end,
  ...toPlace(filters),
  status: 'admitted',
  ...part,
});

/** In the log, `key` is whether any API key was used. */
const toPlace = ({ key, ...filters }: Scope['filters']): LogsPlace => ({
  ...filters,
  ...(key !== undefined && { apiKey: key }),
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
