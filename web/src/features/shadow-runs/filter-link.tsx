import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { noRequestFilters, type ShadowRunsSearch } from './search.ts';

/** Id of the page section with the filtered requests. */
export const requestsId = 'shadow-requests';

interface FilterLinkProps {
  /** Filters that the link sets. */
  changes: Partial<Pick<ShadowRunsSearch, 'difference' | 'code' | 'model' | 'user'>>;
  /** If true, the link removes the filters. */
  isCurrent?: boolean;
  children: ReactNode;
}

/** Scrolls to the filtered requests. */
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
