import { Button } from '@mantine/core';
import type { Comparison } from '@sluice/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { FilterField, ListTools } from '#components/data-table/filter-bar.tsx';
import type { TableState } from '#components/data-table/use-table-state.ts';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { Tip } from '#components/ui/tip.tsx';
import { logFailure } from '#lib/describe-failure.ts';
import { formatUsdExact } from '#lib/format-money.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { formatAge, formatFullTime } from '#lib/format-time.ts';
import { useNow } from '#lib/use-now.ts';
import styles from './history.module.css';
import { historyQuery } from './queries.ts';
import { type ComparisonSearch, hasComparisonFilters, noComparisonFilters } from './search.ts';

const statuses = [
  { value: 'all', label: 'All' },
  { value: 'completed', label: 'Completed' },
  { value: 'partial', label: 'Partial' },
  { value: 'pending', label: 'Pending' },
] as const;

const owners = [
  { value: 'own', label: 'Mine' },
  { value: 'everyone', label: 'Everyone' },
] as const;

function HistoryTools({ state }: { state: TableState<ComparisonSearch> }) {
  const { status = 'all', of = 'own' } = state.search;
  return (
    <ListTools
      search={<FilterField state={state} label="Search comparisons" placeholder="Search comparisons..." />}
      filters={
        <>
          <SegmentedSwitch
            label="Comparisons by status"
            options={statuses}
            value={status}
            onChange={(chosen) => state.change({ status: chosen === 'all' ? undefined : chosen })}
          />
          <SegmentedSwitch
            label="Comparisons of"
            options={owners}
            value={of}
            onChange={(chosen) => state.change({ of: chosen === 'own' ? undefined : chosen })}
          />
        </>
      }
    />
  );
}

const marks = {
  pending: { kind: 'pending', word: 'Pending' },
  completed: { kind: 'ok', word: 'Completed' },
  partial: { kind: 'warn', word: 'Partial' },
} as const;

interface HistoryCardProps {
  comparison: Comparison;
  isOpen: boolean;
  /** Whether the row shows the author. */
  isNamed: boolean;
  onView: () => void;
}

function HistoryCard({ comparison, isOpen, isNamed, onView }: HistoryCardProps) {
  const { prompt, status, created_at, providers_count, total_cost, results, user_name, is_revealed } =
    comparison;
  const nowMs = useNow();
  const { kind, word } = marks[status];
  return (
    <li className={styles.card} aria-label={prompt} aria-current={isOpen || undefined}>
      <div className={styles.summary}>
        <p className={styles.prompt}>{prompt}</p>
        <p className={styles.models}>
          {is_revealed
            ? results.map(({ model_name }) => model_name).join(' · ')
            : 'Models are shown once you have voted'}
        </p>
        <p className={styles.facts}>
          <StatusMark kind={kind}>{word}</StatusMark>
          <Tip label={formatFullTime(created_at)}>
            <time className="num" dateTime={created_at}>
              {formatAge(created_at, nowMs)}
            </time>
          </Tip>
          {isNamed && <span>{user_name}</span>}
          <span className="num">{formatQuantity(providers_count, 'model')}</span>
          {total_cost !== null && <span className="num">{formatUsdExact(total_cost, 6)}</span>}
        </p>
      </div>
      <Button variant="default" aria-label={`View: ${prompt.slice(0, 80)}`} onClick={onView}>
        View
      </Button>
    </li>
  );
}

export function ComparisonHistory({ state }: { state: TableState<ComparisonSearch> }) {
  const { search, change } = state;
  const answer = useInfiniteQuery(historyQuery(search));
  const { data, error, isPlaceholderData, ...history } = answer;
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
      {error && !rows && <UnknownHistory onRetry={() => void history.refetch()} />}
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

/** The reason is logged to the browser console only. */
function UnknownHistory({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={`quiet ${styles.unknown}`}>
      <span>The history is currently unknown.</span>
      <Button variant="default" onClick={onRetry}>
        Try Again
      </Button>
    </div>
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
      {isNarrowed ? undefined : 'Comparisons that you start appear here.'}
    </EmptyState>
  );
}
