import { auditLogRoutes } from '@sluice/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { readPageTotal, type TotalCount } from '#components/data-table/pager.tsx';
import { type ServerExport, toRowCount } from '#components/data-table/server-export.ts';
import { createApiClient } from '#lib/api.ts';
import { type AuditSearch, auditPageSize, hasAuditFilters, toAuditFilters, toAuditQuery } from './search.ts';

const calls = createApiClient(auditLogRoutes);

export const auditLogQuery = (search: AuditSearch) => {
  const query = toAuditQuery(search);
  return queryOptions({
    queryKey: ['audit-log', 'list', query],
    queryFn: async ({ signal }) => {
      const answer: { total: TotalCount | null } = { total: null };
      const onHeaders = (headers: Headers) => {
        answer.total = readPageTotal(headers, search, auditPageSize);
      };
      const entries = await calls.listAuditEntries({ query }, { signal, onHeaders });
      return { ...answer, entries };
    },
    placeholderData: keepPreviousData,
  });
};

export function auditLogExport(search: AuditSearch): ServerExport {
  const query = toAuditFilters(search);
  return {
    title: 'audit log',
    noun: 'change',
    whole: 'in the audit log',
    isNarrowed: hasAuditFilters(search),
    note: 'Times are in UTC.',
    countKey: ['audit-log', query],
    countRows: (signal) =>
      toRowCount((onHeaders) =>
        calls.listAuditEntries({ query: { ...query, limit: 1 } }, { signal, onHeaders }),
      ),
    fetchFile: (format, options) => calls.exportAuditEntries({ query: { ...query, format } }, options),
  };
}

export const auditEntryQuery = (id: number) =>
  queryOptions({
    queryKey: ['audit-log', 'one', id],
    queryFn: ({ signal }) => calls.getAuditEntry({ params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
