import type { UserTask } from '@sluice/contract';
import { useMemo } from 'react';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { SummaryIcon } from '../../components/ui/action-icons.ts';

/** Actions on a past task. */
export function useHistoryActions(
  change: (search: { open: number }) => void,
): readonly RowAction<UserTask>[] {
  return useMemo(
    () => [{ name: 'Details', icon: SummaryIcon, isInline: true, run: ({ id }) => change({ open: id }) }],
    [change],
  );
}
