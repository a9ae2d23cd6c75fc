import { Button } from '@mantine/core';
import { type AuditEntry, auditedObjectTypes } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { NarrowOnly, RowLink, timeColumn } from '#components/data-table/cells.tsx';
import type { Column } from '#components/data-table/column.ts';
import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { ExportDialogButton } from '#components/data-table/export-button.tsx';
import {
  ChoiceFilter,
  DayFilter,
  FilterBar,
  FilterHint,
  FilterTools,
  MoreFilters,
  TextFilter,
} from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import { OffsetPager } from '#components/data-table/pager.tsx';
import { countRowsBefore } from '#components/data-table/table-search.ts';
import { useDataTable } from '#components/data-table/use-data-table.ts';
import { type TableState, useTableState } from '#components/data-table/use-table-state.ts';
import { SecondLine } from '#components/ui/lines.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { RefreshButton } from '#components/ui/refresh-button.tsx';
import { usersQuery } from '#features/users/index.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatRowTime, formatShortTime } from '#lib/format-time.ts';
import {
  AuditDrawer,
  describeAction,
  describeActor,
  describeObject,
  listColumns,
  objectTypeLabel,
} from './drawer.tsx';
import { fieldLabel } from './field-label.ts';
import { auditLogExport, auditLogQuery } from './queries.ts';
import { type AuditSearch, auditPageSize, auditSearch, hasAuditFilters, noAuditFilters } from './search.ts';

/** Times use the tenant's time zone, like the date filter. */
const auditColumnsIn = (timeZone: string): readonly Column<AuditEntry>[] => [
  {
    name: 'Change',
    isPinned: true,
    isHideable: false,
    csv: (entry) => `${describeAction(entry)}: ${describeObject(entry)}`,
    cell: (entry) => (
      <>
        <RowLink id={entry.id}>{describeAction(entry)}</RowLink>
        <SecondLine>{describeObject(entry)}</SecondLine>
        <NarrowOnly>
          <span className="num">
            {describeActor(entry)} · {formatShortTime(entry.created_at, timeZone)}
          </span>
        </NarrowOnly>
      </>
    ),
  },
  {
    name: 'Actor',
    width: '20%',
    showFrom: 'medium',
    csv: (entry) => entry.actor_email ?? describeActor(entry),
    cell: (entry) => (
      <>
        {describeActor(entry)}
        <SecondLine>{entry.actor_email}</SecondLine>
      </>
    ),
  },
  {
    name: 'Fields',
    width: '26%',
    showFrom: 'wide',
    csv: (entry) => fieldsOf(entry),
    cell: (entry) => <span className="quiet">{fieldsOf(entry)}</span>,
  },
  timeColumn('Time', ({ created_at }) => created_at, {
    format: formatRowTime,
    timeZone,
    width: '11.5rem',
    showFrom: 'medium',
  }),
];

const fieldsOf = (entry: AuditEntry) => listColumns(entry).map(fieldLabel).join(', ');

export function AuditLogScreen({ timeZone }: { timeZone: string }) {
  const state = useTableState(auditSearch);
  const { search, change } = state;
  const answer = useQuery(auditLogQuery(search));
  const { data, isPlaceholderData, refetch } = answer;
  const rows = data?.entries;
  const columns = useMemo(() => auditColumnsIn(timeZone), [timeZone]);
  const model = useDataTable({ columns, rows, rowKey, state, filteredBy: 'caller' });
  const failure = describeFailure(answer, 'The audit log could not be loaded');
  return (
    <>
      <PageHeader
        title="Audit log"
        subtitle="All administrative changes, with author, IP address, old and new values"
        actions={<AuditTools search={search} onRefresh={() => void refetch()} />}
      />
      <AuditFilters state={state} timeZone={timeZone}>
        <ColumnChooser model={model} />
      </AuditFilters>
      <ListView
        model={model}
        label="Changes"
        loadingText="Loading changes..."
        isStale={isPlaceholderData}
        emptyText={hasAuditFilters(search) ? 'No changes match your filters' : 'No changes yet'}
        emptyAction={hasAuditFilters(search) && <ClearFilters onClear={() => change(noAuditFilters)} />}
        failure={failure}
        nameOf={describeObject}
        onOpen={({ id }) => change({ open: id })}
        rowsBefore={countRowsBefore(search, auditPageSize)}
        total={data?.total ?? null}
        isPage
      />
      {model.rows && (
        <OffsetPager
          state={model.state}
          rowCount={model.rows.length}
          total={data?.total ?? null}
          usualSize={auditPageSize}
          lastId={model.lastId}
        />
      )}
      {search.open !== undefined && (
        <AuditDrawer model={model} id={Number(search.open)} timeZone={timeZone} />
      )}
    </>
  );
}

function AuditTools({ search, onRefresh }: { search: AuditSearch; onRefresh: () => void }) {
  return (
    <>
      <RefreshButton onRefresh={onRefresh} />
      <ExportDialogButton content={auditLogExport(search)} />
    </>
  );
}

const rowKey = ({ id }: AuditEntry) => id;

function ClearFilters({ onClear }: { onClear: () => void }) {
  return (
    <Button variant="default" onClick={onClear}>
      Clear Filters
    </Button>
  );
}

interface AuditFiltersProps {
  state: TableState<AuditSearch>;
  timeZone: string;
  children: ReactNode;
}

function AuditFilters({ state, timeZone, children }: AuditFiltersProps) {
  const { search, change } = state;
  const { data: users = [] } = useQuery(usersQuery);
  const people = users.filter(({ role_name }) => role_name !== 'user');
  return (
    <FilterBar>
      <TextFilter state={state} label="Search names, IP addresses and values" placeholder="Search" />
      <MoreFilters isOpen={hasAuditFilters(search)}>
        <ChoiceFilter
          label="Actor"
          everything="Everybody"
          value={search.actor}
          options={people.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
          onChoose={(value) => change({ actor: Number(value) || undefined })}
        />
        <ChoiceFilter
          label="Object"
          everything="Everything"
          value={search.object}
          options={auditedObjectTypes.map((type) => ({ value: type, label: objectTypeLabel(type) }))}
          onChoose={(value) => change({ object: auditedObjectTypes.find((type) => type === value) })}
        />
        <DayFilter
          label="From"
          value={search.start}
          max={search.end}
          onChoose={(day) => change({ start: day })}
        />
        <DayFilter
          label="To"
          value={search.end}
          min={search.start}
          onChoose={(day) => change({ end: day })}
        />
      </MoreFilters>
      <Button variant="default" disabled={!hasAuditFilters(search)} onClick={() => change(noAuditFilters)}>
        Clear Filters
      </Button>
      <FilterTools>{children}</FilterTools>
      <FilterHint>Dates and times are in {timeZone}.</FilterHint>
    </FilterBar>
  );
}
