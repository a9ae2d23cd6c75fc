import type { BlacklistEntry, ExportFormat } from '@sluice/contract';
import { startExport } from '#console/exports/start-export.ts';
import type { Download, SignedInContext } from '#http/console-route.ts';
import { toBlacklistEntry } from './list.ts';
import { type EntryFilters, selectEntries } from './store.ts';

/** Exports all entries that match the filters, newest first. They are few enough for one batch. */
export function exportBlacklist(
  ctx: SignedInContext,
  { format, ...filters }: EntryFilters & { format: ExportFormat },
): Promise<Download> {
  return startExport<BlacklistEntry, number>(ctx, {
    noun: 'blacklist',
    format,
    filters: { ...filters },
    columns: {
      id: ({ id }) => id,
      provider_key: ({ provider_key }) => provider_key,
      model_pattern: ({ model_pattern }) => model_pattern,
      reason: ({ reason }) => reason,
      description: ({ description }) => description,
      blocked_by_user_name: ({ blocked_by_user_name }) => blocked_by_user_name,
      created_at: ({ created_at }) => created_at,
    },
    keyOf: ({ id }) => id,
    readBatch: async (tx, after) => {
      if (after !== undefined) return [];
      return (await selectEntries(tx, ctx.principal.tenantId, filters)).map(toBlacklistEntry);
    },
  });
}
