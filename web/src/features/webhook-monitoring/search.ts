import type { WebhookEventStatus } from '@sluice/contract';
import { z } from 'zod';
import { tableSearch } from '../../components/data-table/table-search.ts';

/** Not the contract's own list: the address is read before any page of the console is loaded. */
export const eventStatuses = [
  'pending',
  'processing',
  'completed',
  'failed',
] as const satisfies readonly WebhookEventStatus[];
export const statsDays = [7, 30, 90] as const;
export const eventLimits = [25, 50, 100, 200] as const;

/** What the address of the webhook page may say. */
export const webhookSearch = tableSearch.extend({
  status: z.enum(eventStatuses).optional().catch(undefined),
  type: z.string().max(100).optional().catch(undefined),
  failed: z.literal(true).optional().catch(undefined),
  limit: z.literal(eventLimits).optional().catch(undefined),
  days: z.literal(statsDays).optional().catch(undefined),
});

export type WebhookSearch = z.output<typeof webhookSearch>;
