import { Button } from '@mantine/core';
import type { ShadowRequest, ShadowSummary } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { ChoiceFilter, FilterBar, FilterTools, MoreFilters } from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import { OffsetPager } from '#components/data-table/pager.tsx';
import { countRowsBefore } from '#components/data-table/table-search.ts';
import { type DataTableModel, useDataTable } from '#components/data-table/use-data-table.ts';
import type { TableState } from '#components/data-table/use-table-state.ts';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatLabel } from '#lib/format-label.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount, formatScore } from '#lib/format-number.ts';
import { formatFullTime, localizeInstants } from '#lib/format-time.ts';
import { differenceName } from './differences.tsx';
import { requestsId } from './filter-link.tsx';
import { shadowRequestsQuery } from './queries.ts';
import { callerOf, outcomeThere, requestColumns } from './request-columns.tsx';
import styles from './run.module.css';
import {
  differences,
  hasRequestFilters,
  noRequestFilters,
  requestsPageSize,
  type ShadowRunsSearch,
} from './search.ts';

interface RunRequestsProps {
  id: number;
  state: TableState<ShadowRunsSearch>;
  /** `undefined` while loading. */
  summary: ShadowSummary | undefined;
}

/** Requests are in the order received. */
export function RunRequests({ id, state, summary }: RunRequestsProps) {
  const { search, change } = state;
  const answer = useQuery(shadowRequestsQuery(id, search));
  const { requests, total = null } = answer.data ?? {};
  const model = useDataTable({
    columns: requestColumns,
    rows: requests,
    rowKey,
    state,
    filteredBy: 'caller',
  });
  const isNarrowed = hasRequestFilters(search);
  return (
    <section id={requestsId} className={styles.requests} aria-label="Requests">
      <h2>Requests</h2>
      <RequestFilters model={model} state={state} summary={summary} />
      <ListView
        model={model}
        label="Requests"
        loadingText="Loading requests..."
        emptyText={isNarrowed ? 'No requests match your filters' : 'This run has no requests'}
        emptyAction={isNarrowed && <ClearFilters onClear={() => change(noRequestFilters)} />}
        failure={describeFailure(answer, 'The requests could not be loaded')}
        detail={(request) => <RequestDetails request={request} />}
        nameOf={({ position }) => `request ${position}`}
        isStale={answer.isPlaceholderData}
        rowsBefore={countRowsBefore(search, requestsPageSize)}
        total={total}
        isPage
      />
      {requests && (
        <OffsetPager state={state} rowCount={requests.length} total={total} usualSize={requestsPageSize} />
      )}
    </section>
  );
}

const rowKey = ({ position }: ShadowRequest) => position;

function ClearFilters({ onClear }: { onClear: () => void }) {
  return (
    <Button variant="default" onClick={onClear}>
      Clear Filters
    </Button>
  );
}

interface RequestFiltersProps extends Omit<RunRequestsProps, 'id'> {
  model: DataTableModel<ShadowRequest>;
}

function RequestFilters({ model, state: { search, change }, summary }: RequestFiltersProps) {
  const { refusals = [], models = [], users = [] } = summary ?? {};
  const isNarrowed = hasRequestFilters(search);
  return (
    <FilterBar>
      <MoreFilters isOpen={isNarrowed}>
        <ChoiceFilter
          label="Difference"
          everything="All requests"
          value={search.difference}
          options={differences.map((value) => ({ value, label: differenceName(value) }))}
          onChoose={(chosen) => change({ difference: differences.find((value) => value === chosen) })}
        />
        <ChoiceFilter
          label="Error code"
          everything="Any"
          value={search.code}
          options={refusals.map(({ error_code: code }) => ({ value: code, label: code }))}
          onChoose={(code) => change({ code })}
        />
        <ChoiceFilter
          label="Model"
          everything="All models"
          value={search.model}
          options={models.map(({ model_requested: name }) => ({ value: name, label: name }))}
          onChoose={(name) => change({ model: name })}
        />
        <ChoiceFilter
          label="User"
          everything="All users"
          value={search.user}
          options={users.flatMap(({ user_id: value, user_name: name, user_email: email }) =>
            value === null ? [] : { value, label: `${name} (${email})` },
          )}
          onChoose={(value) => change({ user: Number(value) || undefined })}
        />
      </MoreFilters>
      <Button variant="default" disabled={!isNarrowed} onClick={() => change(noRequestFilters)}>
        Clear Filters
      </Button>
      <FilterTools>
        <ColumnChooser model={model} />
      </FilterTools>
    </FilterBar>
  );
}

const orDash = <Value,>(value: Value | null, format: (value: Value) => string) =>
  value === null ? '–' : format(value);

function RequestDetails({ request }: { request: ShadowRequest }) {
  return (
    <div className={styles.details}>
      {request.message !== null && <p className={styles.message}>{localizeInstants(request.message)}</p>}
      <FactList>
        <Fact name="Position">{formatCount(request.position)}</Fact>
        <Fact name="Received">{formatFullTime(request.requested_at)}</Fact>
        <Fact name="Caller">{request.user_email ?? callerOf(request)}</Fact>
        <Fact name="Path">{request.path}</Fact>
        <Fact name="Outcome here">{request.error_code ?? 'Served'}</Fact>
        <Fact name="Model here">
          {[request.model, request.provider_name].filter(Boolean).join(' · ') || '–'}
        </Fact>
        <Fact name="Outcome there">{outcomeThere(request)}</Fact>
        <Fact name="Model there">{request.other_model ?? '–'}</Fact>
        <Fact name="Cost here">{orDash(request.cost_usd, formatUsd)}</Fact>
        <Fact name="Cost there">{orDash(request.other_cost_usd, formatUsd)}</Fact>
        <Fact name="Input tokens">{orDash(request.input_tokens, formatCount)}</Fact>
        <Fact name="Output tokens">{orDash(request.output_tokens, formatCount)}</Fact>
        <Fact name="Intent">{orDash(request.intent, formatLabel)}</Fact>
        <Fact name="Deviation score after">{orDash(request.score_after, formatScore)}</Fact>
        <Fact name="Request ID there">{request.other_request_id ?? '–'}</Fact>
      </FactList>
    </div>
  );
}
