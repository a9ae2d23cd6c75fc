import { auditedObjectTypes } from '@sluice/contract';
import { z } from 'zod';
import { tableSearch, toPageQuery } from '#components/data-table/table-search.ts';

export const auditSearch = tableSearch.extend({
  actor: z.number().int().positive().optional().catch(undefined),
  object: z.enum(auditedObjectTypes).optional().catch(undefined),
  start: z.iso.date().optional().catch(undefined),
  end: z.iso.date().optional().catch(undefined),
});

export type AuditSearch = z.output<typeof auditSearch>;

export const auditPageSize = 50;
const searchCharactersMax = 200;

export function toAuditQuery(search: AuditSearch) {
  return { ...toAuditFilters(search), ...toPageQuery(search, auditPageSize) };
}

export function toAuditFilters({ actor, object, start, end, filter }: AuditSearch) {
  return {
    actor_id: actor,
    object_type: object,
    start_date: start,
    end_date: end,
    ...(filter === undefined ? {} : { search: String(filter).slice(0, searchCharactersMax) }),
  };
}

export const noAuditFilters = {
  filter: undefined,
  actor: undefined,
  object: undefined,
  start: undefined,
  end: undefined,
} satisfies Partial<AuditSearch>;

export function hasAuditFilters({ filter, actor, object, start, end }: AuditSearch): boolean {
  return [filter, actor, object, start, end].some((value) => value !== undefined);
}
