import type { WebhookEventStatus } from '@sluice/contract';
import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

/** Written out instead of imported from the contract, to keep its routes out of first loads. */
export const eventStatuses = [
  'pending',
  'processing',
  'completed',
  'failed',
] as const satisfies readonly WebhookEventStatus[];
export const statsDays = [7, 30, 90] as const;
export const webhookPageSize = 50;

/** Search parameters of the webhook page. */
export const webhookSearch = tableSearch.extend({
  status: z.enum(eventStatuses).optional().catch(undefined),
  type: z.string().max(100).optional().catch(undefined),
  failed: z.literal(true).optional().catch(undefined),
  days: z.literal(statsDays).optional().catch(undefined),
});

export type WebhookSearch = z.output<typeof webhookSearch>;
