import { webhooksRoutes } from '@sluice/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { readPageTotal, type TotalCount } from '#components/data-table/pager.tsx';
import { toPageQuery } from '#components/data-table/table-search.ts';
import { createApiClient } from '#lib/api.ts';
import { type WebhookSearch, webhookPageSize } from './search.ts';

const webhooks = createApiClient(webhooksRoutes);

const key = 'webhooks';
const defaultDays = 30;
const retriesMax = 10;

export const webhookEventsQuery = (search: WebhookSearch) => {
  const { status, type, failed } = search;
  const query = {
    ...toPageQuery(search, webhookPageSize),
    ...(status && { status }),
    ...(type && { event_type: type }),
    ...(failed && { failed_only: 'true' as const }),
  };
  const { skip: offset, ...page } = query;
  return queryOptions({
    queryKey: [key, 'events', query],
    queryFn: async ({ signal }) => {
      const answer: { total: TotalCount | null } = { total: null };
      const onHeaders = (headers: Headers) => {
        answer.total = readPageTotal(headers, search, webhookPageSize);
      };
      const events = await webhooks.listWebhookEvents({ query: { ...page, offset } }, { signal, onHeaders });
      return { events, ...answer };
    },
    placeholderData: keepPreviousData,
  });
};

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
