import type { Column } from '#components/data-table/column.ts';
import { ListView } from '#components/data-table/list-view.tsx';
import { CursorPager } from '#components/data-table/pager.tsx';
import { tableSearch } from '#components/data-table/table-search.ts';
import { useDataTable } from '#components/data-table/use-data-table.ts';
import { useTableState } from '#components/data-table/use-table-state.ts';
import { lockColumns } from './lock-columns.tsx';
import { type Lock, makeLocks } from './locks.ts';

const locks = makeLocks(100);
const pageSize = 25;
/** More columns than fit next to each other. */
const columns: readonly Column<Lock>[] = [
  ...lockColumns,
  ...['North', 'East', 'South', 'West'].map((name) => ({
    name,
    width: '16rem',
    cell: ({ id }: Lock) => `${name} ${id}`,
  })),
];

/** List that scrolls sideways, with cursor pagination. */
export function GatesPage() {
  const state = useTableState(tableSearch);
  const first = Number(state.search.cursor ?? 0);
  const next = first + pageSize;
  const rows = locks.slice(first, next);
  const model = useDataTable({
    columns,
    rows,
    rowKey: ({ id }) => id,
    state,
    sortedBy: 'server',
  });
  return (
    // Same distance from the top as the lists of the console, which are below its header.
    <main style={{ paddingBlockStart: '4rem' }}>
      <h1>Gates</h1>
      <ListView
        model={model}
        label="Gates"
        loadingText="Loading gates..."
        emptyText="No gates found"
        isSideways
      />
      <CursorPager
        state={state}
        rowCount={rows.length}
        nextCursor={next < locks.length ? String(next) : null}
      />
    </main>
  );
}
