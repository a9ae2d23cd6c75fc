import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { LogsPlace } from '#lib/logs-place.ts';
import type { Scope } from './queries.ts';

export const rowsOf = ({ period, filters }: Scope, part: LogsPlace = {}): LogsPlace => ({
  start: period.start,
  end: period.end,
  ...toPlace(filters),
  status: 'admitted',
  ...part,
});

/** Renames `key` to `apiKey`: on the log page, `key` filters by whether any API key was used. */
const toPlace = ({ key, ...filters }: Scope['filters']): LogsPlace => ({
  ...filters,
  ...(key !== undefined && { apiKey: key }),
});

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
