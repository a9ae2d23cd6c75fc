import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { TableState } from '../../components/data-table/use-table-state.ts';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { PanelList } from '../../components/ui/panel-list.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { logFailure } from '../../lib/log-failure.ts';
import styles from './history.module.css';
import { HistoryCard } from './history-card.tsx';
import { HistoryTools } from './history-tools.tsx';
import { historyQuery } from './queries.ts';
import { type ComparisonSearch, hasComparisonFilters, noComparisonFilters } from './search.ts';

/** Past comparisons, newest first. */
export function ComparisonHistory({ state }: { state: TableState<ComparisonSearch> }) {
  const { search, change } = state;
  const answer = useInfiniteQuery(historyQuery(search));
  const { data, error, isPlaceholderData, ...history } = answer;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading the history of comparisons');
  const rows = data?.pages.flat();
  const isNarrowed = hasComparisonFilters(search);
  useLoggedFailure(error);
  return (
    <section className={styles.history} aria-label="Comparison history" aria-busy={isPlaceholderData}>
      <h2>History</h2>
      <HistoryTools state={state} />
      {!rows && !error && (
        <div role="status">
          <span className="visually-hidden">Loading comparisons...</span>
          <SkeletonLines />
        </div>
      )}
      {failure && <Failure {...failure} />}
      {rows?.length === 0 && (
        <NoComparisons isNarrowed={isNarrowed} onShowAll={() => change(noComparisonFilters)} />
      )}
      {rows && rows.length > 0 && (
        <PanelList label="Comparisons" items={rows} noun="comparisons">
          {(comparison) => (
            <HistoryCard
              key={comparison.id}
              comparison={comparison}
              isOpen={search.open === comparison.id}
              isNamed={search.of === 'everyone'}
              onView={() => change({ open: comparison.id })}
            />
          )}
        </PanelList>
      )}
      {history.hasNextPage && !isNarrowed && (
        <div>
          <Button
            variant="default"
            data-pending={history.isFetchingNextPage || undefined}
            onClick={() => void history.fetchNextPage()}
          >
            Load More
          </Button>
        </div>
      )}
    </section>
  );
}

function useLoggedFailure(error: Error | null): void {
  useEffect(() => {
    if (error) logFailure('The history of comparisons could not be loaded', error);
  }, [error]);
}

interface NoComparisonsProps {
  isNarrowed: boolean;
  onShowAll: () => void;
}

function NoComparisons({ isNarrowed, onShowAll }: NoComparisonsProps) {
  const showAll = (
    <Button variant="default" onClick={onShowAll}>
      Show all comparisons
    </Button>
  );
  return (
    <EmptyState title="No comparisons found" action={isNarrowed && showAll}>
      {isNarrowed ? undefined : 'Each comparison that you start is kept here.'}
    </EmptyState>
  );
}
