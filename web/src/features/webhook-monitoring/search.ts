import type { WebhookEventStatus } from '@sluice/contract';
import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

/** Duplicated from the contract, because an import would add the contract's routes to the first load of every page. */
export const eventStatuses = [
  'pending',
  'processing',
  'completed',
  'failed',
] as const satisfies readonly WebhookEventStatus[];
export const statsDays = [7, 30, 90] as const;
export const webhookPageSize = 50;

export const webhookSearch = tableSearch.extend({
  status: z.enum(eventStatuses).optional().catch(undefined),
  type: z.string().max(100).optional().catch(undefined),
  failed: z.literal(true).optional().catch(undefined),
  days: z.literal(statsDays).optional().catch(undefined),
});

export type WebhookSearch = z.output<typeof webhookSearch>;
