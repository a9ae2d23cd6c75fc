import { Button } from '@mantine/core';
import type { LogEntry } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { ListView } from '../../components/data-table/list-view.tsx';
import type { ListViewProps } from '../../components/data-table/list-view-props.ts';
import type { TotalCount } from '../../components/data-table/total-count.ts';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import type { TableState } from '../../components/data-table/use-table-state.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { loadOverlays } from './load-overlays.ts';
import { hasLogFilters, type LogsSearch, noLogFilters } from './search.ts';
import { toLogsQuery } from './to-logs-query.ts';

const LogDetail = lazyPart(loadOverlays, 'LogDetail');

interface LogListProps {
  model: DataTableModel<LogEntry>;
  state: TableState<LogsSearch>;
  total: TotalCount | null;
  isStale: boolean;
  failure: ListViewProps<LogEntry>['failure'];
}

export function LogList({ model, state, total, isStale, failure }: LogListProps) {
  return (
    <ListView
      model={model}
      label="Requests"
      loadingText="Loading logs..."
      isStale={isStale}
      failure={failure}
      emptyText="No logs found matching your filters."
      emptyAction={
        hasLogFilters(state.search) ? (
          <Button variant="default" onClick={() => state.change(noLogFilters)}>
            Clear Filters
          </Button>
        ) : (
          <Link to="/admin">Send a first request</Link>
        )
      }
      isSideways
      detail={(log) => <LogDetail listed={log} />}
      onOpen={(log) => state.change({ open: log.id })}
      nameOf={(log) => log.id}
      rowsBefore={toLogsQuery(state.search).skip}
      total={total}
    />
  );
}
