import type { RowData } from '@tanstack/react-table';
import type { Column } from './column.ts';
import { ListView } from './list-view.tsx';
import type { ListViewProps } from './list-view-props.ts';
import { useDataTable } from './use-data-table.ts';
import { useLocalTableState } from './use-table-state.ts';

interface DataTableProps<Row extends RowData> extends Omit<ListViewProps<Row>, 'model' | 'isPage'> {
  columns: readonly Column<Row>[];
  /** `undefined` while they load. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
}

/** A list that is not the page: its choices are not in the address. */
export function DataTable<Row extends RowData>({ columns, rows, rowKey, ...view }: DataTableProps<Row>) {
  const model = useDataTable({ columns, rows, rowKey, state: useLocalTableState() });
  return <ListView {...view} model={model} isPage={false} />;
}
