import { outboxRoutes } from '@sluice/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';

const calls = createApiClient(outboxRoutes);

const everything = ['outbox'] as const;
const readAgainMs = 10_000;

export const outboxQuery = queryOptions({
  queryKey: [...everything, 'list'],
  queryFn: ({ signal }) => calls.listMails({ query: { limit: 200 } }, { signal }),
  refetchInterval: readAgainMs,
});

/** The newest mail to an address, `null` when there is none. */
export const mailToQuery = (address: string) =>
  queryOptions({
    queryKey: [...everything, 'to', address],
    queryFn: async ({ signal }) => {
      const mails = await calls.listMails({ query: { limit: 20 } }, { signal });
      return mails.find(({ to_address }) => to_address === address) ?? null;
    },
  });

type Retry = Parameters<typeof calls.retryMail>[0];

export function useRetryMail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (retry: Retry) => calls.retryMail(retry),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: everything }),
  });
}
