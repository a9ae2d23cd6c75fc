import { outboxRoutes } from '@sluice/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { readPageTotal, type TotalCount } from '#components/data-table/pager.tsx';
import { type ServerExport, toRowCount } from '#components/data-table/server-export.ts';
import { toPageQuery } from '#components/data-table/table-search.ts';
import { createApiClient } from '#lib/api.ts';
import { type OutboxSearch, outboxPageSize } from './search.ts';

const calls = createApiClient(outboxRoutes);

const everything = ['outbox'] as const;
const readAgainMs = 10_000;

const searchCharactersMax = 200;

const toMailFilters = ({ filter }: OutboxSearch) =>
  filter === undefined ? {} : { search: String(filter).slice(0, searchCharactersMax) };

export const outboxQuery = (search: OutboxSearch) => {
  const query = { ...toMailFilters(search), ...toPageQuery(search, outboxPageSize) };
  return queryOptions({
    queryKey: [...everything, 'list', query],
    queryFn: async ({ signal }) => {
      const answer: { total: TotalCount | null } = { total: null };
      const onHeaders = (headers: Headers) => {
        answer.total = readPageTotal(headers, search, outboxPageSize);
      };
      return { mails: await calls.listMails({ query }, { signal, onHeaders }), ...answer };
    },
    placeholderData: keepPreviousData,
    refetchInterval: search.page === undefined ? readAgainMs : false,
  });
};

export function outboxExport(search: OutboxSearch): ServerExport {
  const query = toMailFilters(search);
  return {
    title: 'outbox',
    noun: 'mail',
    whole: 'in the outbox',
    isNarrowed: search.filter !== undefined,
    note: 'Links are not included; times are in UTC.',
    countKey: ['outbox', query],
    countRows: (signal) =>
      toRowCount((onHeaders) => calls.listMails({ query: { ...query, limit: 1 } }, { signal, onHeaders })),
    fetchFile: (format, options) => calls.exportMails({ query: { ...query, format } }, options),
  };
}

/** Returns the newest mail to the address, or `null`. */
export const mailToQuery = (address: string, tenantId?: number) =>
  queryOptions({
    queryKey: [...everything, 'to', address, tenantId],
    queryFn: async ({ signal }) => {
      const about = tenantId === undefined ? {} : { tenantId };
      const mails = await calls.listMails({ query: { limit: 20 } }, { signal, ...about });
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
