import type { Column } from '#components/data-table/column.ts';
import type { Lock } from './locks.ts';

export const lockColumns: readonly Column<Lock>[] = [
  {
    name: 'Lock',
    isPinned: true,
    isHideable: false,
    cell: ({ name }) => name,
    sortBy: ({ name }) => name,
  },
  {
    name: 'Keeper',
    width: '12rem',
    showFrom: 'medium',
    cell: ({ keeper }) => keeper,
    sortBy: ({ keeper }) => keeper,
  },
  {
    name: 'Depth',
    showFrom: 'medium',
    width: '6rem',
    align: 'end',
    cell: ({ depth }) => <span className="num">{depth ?? '–'}</span>,
    sortBy: ({ depth }) => depth,
  },
  { name: 'Note', cell: ({ note }) => note, csv: ({ note }) => note, showFrom: 'medium' },
  { name: 'Number', width: '6rem', cell: ({ id }) => id, csv: ({ id }) => id, isExtra: true },
];
