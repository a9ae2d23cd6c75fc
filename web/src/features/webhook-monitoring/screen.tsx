import { Button, Checkbox } from '@mantine/core';
import type { WebhookEvent } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { ChoiceFilter, FilterField, ListTools } from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import { OffsetPager, type TotalCount } from '#components/data-table/pager.tsx';
import type { RowAction } from '#components/data-table/row-actions.tsx';
import { countRowsBefore } from '#components/data-table/table-search.ts';
import { type DataTableModel, useDataTable } from '#components/data-table/use-data-table.ts';
import { type TableState, useTableState } from '#components/data-table/use-table-state.ts';
import { SummaryIcon } from '#components/ui/action-icons.ts';
import { Notice } from '#components/ui/notice.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { RefreshButton } from '#components/ui/refresh-button.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { showError } from '#components/ui/toasts.tsx';
import { describeFailure, logFailure, messageOf } from '#lib/describe-failure.ts';
import { formatCount, formatPart, formatQuantity } from '#lib/format-number.ts';
import { lazyFile, lazyPart, usePreload } from '#lib/lazy-part.tsx';
import { webhookColumns } from './columns.tsx';
import { useRetryFailed, webhookEventsQuery, webhookStatsQuery } from './queries.ts';
import { eventStatuses, statsDays, type WebhookSearch, webhookPageSize, webhookSearch } from './search.ts';
import styles from './stats.module.css';

interface WebhookToolsProps {
  model: DataTableModel<WebhookEvent>;
  state: TableState<WebhookSearch>;
  types: readonly string[];
}

const statuses = eventStatuses.map((status) => ({
  value: status,
  label: `${status[0]?.toUpperCase()}${status.slice(1)}`,
}));

function WebhookTools({ model, state: { search, change }, types }: WebhookToolsProps) {
  return (
    <ListTools
      search={<FilterField state={model.state} label="Search events" placeholder="Search by ID or type..." />}
      filters={
        <>
          <ChoiceFilter
            label="Status"
            isLabelHidden
            everything="All statuses"
            options={statuses}
            value={search.status}
            onChoose={(chosen) => change({ status: eventStatuses.find((status) => status === chosen) })}
          />
          <ChoiceFilter
            label="Event type"
            isLabelHidden
            everything="All types"
            options={types.map((type) => ({ value: type, label: type }))}
            value={search.type}
            onChoose={(type) => change({ type })}
          />
          <Checkbox
            label="Failed Only"
            checked={search.failed ?? false}
            onChange={({ currentTarget }) => change({ failed: currentTarget.checked || undefined })}
          />
        </>
      }
      choices={<ColumnChooser model={model} />}
    />
  );
}

export function WebhookMonitoringScreen() {
  const state = useTableState(webhookSearch);
  const { search, change } = state;
  const { days = 30, open } = search;
  const retry = useRetryFailed();
  const answer = useQuery(webhookEventsQuery(search));
  const { events, total = null } = answer.data ?? {};
  const { data: stats } = useQuery(webhookStatsQuery(days));
  const model = useDataTable({ columns: webhookColumns, rows: events, rowKey, state });
  usePreload(loadOverlays);
  const isNarrowed = Boolean(search.status ?? search.type ?? search.failed);
  return (
    <>
      <WebhookHeader
        isBusy={answer.isFetching}
        onRefresh={() => void answer.refetch()}
        retry={retry}
        failedCount={stats?.failed_events}
      />
      <WebhookStats days={days} onDays={(chosen) => change({ days: chosen })} />
      <RetryResults retry={retry} />
      <WebhookTools model={model} state={state} types={Object.keys(stats?.event_types ?? {})} />
      <ListView
        model={model}
        label="Webhook events"
        loadingText="Loading events..."
        emptyText={isNarrowed ? 'No events found' : 'No webhook events received yet'}
        emptyAction={
          isNarrowed && (
            <Button variant="default" onClick={() => change(everything)}>
              Show all events
            </Button>
          )
        }
        failure={describeFailure(answer, 'Failed to load webhook events')}
        actions={useWebhookActions(change)}
        onOpen={({ id }) => change({ open: id })}
        nameOf={({ event_id }) => event_id}
        isStale={answer.isPlaceholderData}
        rowsBefore={countRowsBefore(search, webhookPageSize)}
        total={total}
        isPage
      />
      {events && <EventPager model={model} rowCount={events.length} total={total} />}
      {open !== undefined && <EventDrawer model={model} id={Number(open)} />}
    </>
  );
}

interface WebhookHeaderProps extends RetryFailedProps {
  isBusy: boolean;
  onRefresh: () => void;
}

function WebhookHeader({ isBusy, onRefresh, ...retry }: WebhookHeaderProps) {
  return (
    <PageHeader
      title="Webhook Monitoring"
      subtitle="Events received from the payment provider, and how they were processed"
      actions={
        <>
          <RefreshButton isBusy={isBusy} onRefresh={onRefresh} />
          <RetryFailedButton {...retry} />
        </>
      }
    />
  );
}

interface EventPagerProps {
  model: DataTableModel<WebhookEvent>;
  /** Number of loaded events, including those that the search hides. */
  rowCount: number;
  total: TotalCount | null;
}

function EventPager({ model: { lastId, state }, rowCount, total }: EventPagerProps) {
  return (
    <OffsetPager
      state={state}
      rowCount={rowCount}
      total={total}
      usualSize={webhookPageSize}
      isAlwaysShown
      lastId={lastId}
    />
  );
}

interface RetryProps {
  retry: ReturnType<typeof useRetryFailed>;
}

interface RetryFailedProps extends RetryProps {
  /** `undefined` while loading. */
  failedCount: number | undefined;
}

/**
 * A primary button only if events have failed. It remains enabled otherwise, because older events may have failed too.
 */
function RetryFailedButton({ retry, failedCount = 0 }: RetryFailedProps) {
  const onError = (error: Error) => showError(messageOf(error, 'Failed to retry webhooks'));
  return (
    <Button
      variant={failedCount > 0 ? 'filled' : 'default'}
      data-pending={retry.isPending || undefined}
      onClick={() => !retry.isPending && retry.mutate(undefined, { onError })}
    >
      {retry.isPending ? 'Retrying...' : 'Retry Failed'}
    </Button>
  );
}

/** Shown until the user leaves the page. */
function RetryResults({ retry: { data } }: RetryProps) {
  return (
    <div role="status" aria-label="Retry results">
      {data && (
        <Notice
          kind={data.still_failed_count === 0 ? 'ok' : 'warn'}
          title={
            data.retried_count === 0
              ? 'No failed event can be retried'
              : `Retried ${formatQuantity(data.retried_count, 'event')}: ${data.success_count} succeeded, ${data.still_failed_count} still failed`
          }
        />
      )}
    </div>
  );
}

const rowKey = ({ id }: WebhookEvent) => id;
const everything = { status: undefined, type: undefined, failed: undefined };

/** Loads the drawer separately, so that the list appears first. */
const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const EventDrawer = lazyPart(loadOverlays, 'EventDrawer');

function useWebhookActions(change: (search: { open: number }) => void): readonly RowAction<WebhookEvent>[] {
  return useMemo(
    () => [{ name: 'View', icon: SummaryIcon, isFrequent: true, run: ({ id }) => change({ open: id }) }],
    [change],
  );
}

interface WebhookStatsProps {
  days: number;
  onDays: (days: (typeof statsDays)[number]) => void;
}

/** Counts events in total and by type. */
function WebhookStats({ days, onDays }: WebhookStatsProps) {
  const { data, error } = useQuery(webhookStatsQuery(days));
  useEffect(() => {
    if (error) logFailure('The statistics of webhooks could not be loaded', error);
  }, [error]);
  const types = Object.entries(data?.event_types ?? {});
  return (
    <>
      <div className={styles.days}>
        <SegmentedSwitch
          label="Statistics of the last"
          options={statsDays.map((count) => ({ value: String(count), label: `${count} days` }))}
          value={String(days)}
          onChange={(chosen) => onDays(statsDays.find((count) => String(count) === chosen) ?? 30)}
        />
      </div>
      {!(error && !data) && (
        <StatStrip
          label="Webhook statistics"
          stats={[
            { label: 'Total Events', value: data?.total_events },
            { label: 'Successful', value: data?.successful_events },
            { label: 'Failed', value: data?.failed_events },
            { label: 'Success Rate', value: data && formatPart(data.successful_events, data.total_events) },
          ]}
        />
      )}
      {types.length > 0 && (
        <ul className={`num ${styles.types}`} aria-label="Events by type">
          {types.map(([type, count]) => (
            <li key={type}>
              <code>{type}</code> {formatCount(count)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
