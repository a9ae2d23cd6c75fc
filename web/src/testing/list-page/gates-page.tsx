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
/** More columns than fit in the list width. */
const columns: readonly Column<Lock>[] = [
  ...lockColumns,
  ...['North', 'East', 'South', 'West'].map((name) => ({
    name,
    width: '16rem',
    cell: ({ id }: Lock) => `${name} ${id}`,
  })),
];

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
    // Distance from the top as on the console's pages, whose lists are below the header.
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
