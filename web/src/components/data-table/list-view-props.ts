import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { RowAction } from './row-action.ts';
import type { TotalCount } from './total-count.ts';
import type { DataTableModel } from './use-data-table.ts';

export interface ListViewProps<Row extends RowData> {
  model: DataTableModel<Row>;
  /** Accessible name of the list. */
  label: string;
  loadingText: string;
  /** The rows answer a question asked before; the present one is under way. */
  isStale?: boolean;
  emptyText: string;
  /** The one next step when there are no rows. */
  emptyAction?: ReactNode;
  failure?: { message: string; error: unknown; onRetry: () => void } | null;
  /** Makes rows expandable; called for the rows that are open. */
  detail?: (row: Row) => ReactNode;
  /** Makes rows lead somewhere: a click or Enter. */
  onOpen?: (row: Row) => void;
  /** Keep the array the same from render to render. */
  actions?: readonly RowAction<Row>[];
  isSelectable?: boolean;
  /** Which row it is, in the names of its controls; the first column's text when absent. */
  nameOf?: (row: Row) => string;
  /** How many rows stand on the pages before, and how many there are in all, where the rows are one page of many. */
  rowsBefore?: number;
  total?: TotalCount | null;
  /** Whether `j` and `k` lead into the list while nothing has the focus: for the one list that is the page. */
  isPage?: boolean;
  /** Scrolls sideways from `medium` width on, where other lists leave out columns that have no room. */
  isSideways?: boolean;
}
