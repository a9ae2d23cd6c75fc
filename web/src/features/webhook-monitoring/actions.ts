import type { WebhookEvent } from '@sluice/contract';
import { useMemo } from 'react';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { SummaryIcon } from '../../components/ui/action-icons.ts';

/** Actions on an event. */
export function useWebhookActions(
  change: (search: { open: number }) => void,
): readonly RowAction<WebhookEvent>[] {
  return useMemo(
    () => [{ name: 'View', icon: SummaryIcon, isInline: true, run: ({ id }) => change({ open: id }) }],
    [change],
  );
}
