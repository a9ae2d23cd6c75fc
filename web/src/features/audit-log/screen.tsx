import { Button } from '@mantine/core';
import type { AuditEntry, User } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { ExportDialogButton } from '../../components/data-table/export-dialog-button.tsx';
import { ListView } from '../../components/data-table/list-view.tsx';
import { OffsetPager } from '../../components/data-table/pager.tsx';
import { useDataTable } from '../../components/data-table/use-data-table.ts';
import { useTableState } from '../../components/data-table/use-table-state.ts';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { RefreshButton } from '../../components/ui/refresh-button.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { auditColumnsIn } from './columns.tsx';
import { describeObject } from './describe-entry.ts';
import { AuditDrawer } from './drawer.tsx';
import { AuditFilters } from './filters.tsx';
import { auditLogExport, auditLogQuery } from './queries.ts';
import {
  type AuditSearch,
  auditPageSize,
  auditSearch,
  hasAuditFilters,
  noAuditFilters,
  toAuditQuery,
} from './search.ts';

interface AuditLogScreenProps {
  /** Users to filter by. */
  people: readonly User[];
  /** The tenant's time zone. */
  timeZone: string;
}

/** List of all administrative changes. */
export function AuditLogScreen({ people, timeZone }: AuditLogScreenProps) {
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
        subtitle="Every administrative change: who, from where, what it was before and after"
        actions={<AuditTools search={search} onRefresh={() => void refetch()} />}
      />
      <AuditFilters state={state} people={people} timeZone={timeZone}>
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
        rowsBefore={toAuditQuery(search).skip}
        total={data?.total ?? null}
        isPage
      />
      {model.rows && (
        <OffsetPager
          state={model.state}
          rowCount={model.rows.length}
          total={data?.total ?? null}
          usualSize={auditPageSize}
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
