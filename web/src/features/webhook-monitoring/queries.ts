import { webhooksRoutes } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';
import type { WebhookSearch } from './search.ts';

const webhooks = createApiClient(webhooksRoutes);

const key = 'webhooks';
const defaultLimit = 50;
const defaultDays = 30;
const retriesMax = 10;

export type WebhookFilters = Pick<WebhookSearch, 'status' | 'type' | 'failed' | 'limit'>;

export const webhookEventsQuery = ({ status, type, failed, limit = defaultLimit }: WebhookFilters) =>
  queryOptions({
    queryKey: [key, 'events', status, type, failed, limit],
    queryFn: ({ signal }) =>
      webhooks.listWebhookEvents(
        {
          query: {
            limit,
            ...(status && { status }),
            ...(type && { event_type: type }),
            ...(failed && { failed_only: 'true' as const }),
          },
        },
        { signal },
      ),
  });

export const webhookStatsQuery = (days: number = defaultDays) =>
  queryOptions({
    queryKey: [key, 'stats', days],
    queryFn: ({ signal }) => webhooks.getWebhookStats({ query: { days } }, { signal }),
  });

export const webhookEventQuery = (id: number) =>
  queryOptions({
    queryKey: [key, 'event', id],
    queryFn: ({ signal }) => webhooks.getWebhookEvent({ params: { id } }, { signal }),
  });

export function useRetryFailed() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => webhooks.retryFailedWebhooks({ body: { max_retries: retriesMax } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [key] }),
  });
}
