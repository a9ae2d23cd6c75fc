import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { noRequestFilters, type ShadowRunsSearch } from './search.ts';

/** Id of the section that the filters narrow. */
export const requestsId = 'shadow-requests';

interface FilterLinkProps {
  /** Filters to apply instead of the current ones. */
  changes: Partial<Pick<ShadowRunsSearch, 'difference' | 'code' | 'model' | 'user'>>;
  /** Whether these filters are applied; the link then removes them. */
  isCurrent?: boolean;
  children: ReactNode;
}

/** Link that filters the requests below and scrolls to them. */
export function FilterLink({ changes, isCurrent = false, children }: FilterLinkProps) {
  return (
    <Link
      to="."
      search={(previous) => ({
        ...previous,
        ...noRequestFilters,
        page: undefined,
        ...(isCurrent ? {} : changes),
      })}
      resetScroll={false}
      aria-current={isCurrent ? 'true' : undefined}
      onClick={() => document.getElementById(requestsId)?.scrollIntoView({ block: 'nearest' })}
    >
      {children}
    </Link>
  );
}
