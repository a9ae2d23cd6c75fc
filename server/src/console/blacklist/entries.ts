import type {
  addBlacklistEntryBody,
  BlacklistEntry,
  blacklistCheck,
  blacklistSummary,
  checkBlacklistBody,
  ExportFormat,
} from '@sluice/contract';
import type { z } from 'zod';
import { startExport } from '#console/exports/start-export.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { type Block, createBlock, findBlock, parseBlacklistPattern } from '#domain/access/blacklist.ts';
import type { Author } from '#domain/principal.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import type { Download, SignedInContext } from '#http/console-route.ts';
import {
  deleteEntry,
  type EntryFilters,
  type EntryRow,
  insertEntry,
  selectEnabledModels,
  selectEntries,
} from './store.ts';

export async function listBlacklist(tx: TenantTransaction, author: Author): Promise<BlacklistEntry[]> {
  const rows = await selectEntries(tx, author.tenantId);
  return rows.map(toBlacklistEntry);
}

function toBlacklistEntry(row: EntryRow): BlacklistEntry {
  return {
    id: row.id,
    provider_key: row.providerKey,
    model_pattern: row.modelPattern,
    reason: row.reason,
    description: row.description,
    blocked_by_user_name: row.blockedBy,
    created_at: row.createdAt.toISOString(),
  };
}

/** Uses a single batch, because there are only a few entries. */
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

export async function getBlacklistSummary(
  tx: TenantTransaction,
  author: Author,
): Promise<{ summary: z.input<typeof blacklistSummary> }> {
  const rows = await selectEntries(tx, author.tenantId);
  const complete = rows.filter(({ modelPattern }) => modelPattern === null);
  const partial = rows.flatMap(({ providerKey, modelPattern }) =>
    modelPattern === null ? [] : [`${providerKey}: ${modelPattern}`],
  );
  return {
    summary: {
      total_entries: rows.length,
      providers_affected: listKeys(rows),
      complete_provider_blocks: listKeys(complete),
      model_specific_blocks: partial.toSorted(),
    },
  };
}

function listKeys(rows: readonly { providerKey: string }[]): string[] {
  return [...new Set(rows.map(({ providerKey }) => providerKey.toLowerCase()))].toSorted();
}

export async function listEnabledModels(tx: TenantTransaction, author: Author) {
  const rows = await selectEnabledModels(tx, author.tenantId);
  return rows.map(({ providerKey, enabledModels }) => ({
    provider_key: providerKey,
    enabled_models: enabledModels,
  }));
}

export async function checkBlacklist(
  tx: TenantTransaction,
  author: Author,
  { provider_key, model_name }: z.output<typeof checkBlacklistBody>,
): Promise<z.input<typeof blacklistCheck>> {
  const blocks = await readBlocks(tx, author.tenantId);
  const block = findBlock(blocks, provider_key, model_name, model_name);
  return { is_blacklisted: block !== undefined, provider_key, model_name, reason: block?.reason ?? null };
}

export async function readBlocks(tx: TenantTransaction, tenantId: number): Promise<Block[]> {
  const rows = await selectEntries(tx, tenantId);
  return rows.map(createBlock);
}

/** Adds an entry that blocks a provider, or its models that match a pattern. The provider may be unknown. */
export async function addBlacklistEntry(
  tx: TenantTransaction,
  author: Author,
  body: z.output<typeof addBlacklistEntryBody>,
): Promise<BlacklistEntry> {
  const { tenantId, userId } = author;
  const modelPattern = body.model_pattern || null;
  const parsed = modelPattern === null ? null : parseBlacklistPattern(modelPattern);
  if (parsed && !parsed.ok) throw invalidField('model_pattern', parsed.problem);
  const id = await insertEntry(tx, {
    tenantId,
    providerKey: body.provider_key,
    modelPattern,
    reason: body.reason,
    description: body.description || null,
    blockedBy: userId,
  });
  if (id === undefined) throw new ConsoleError(409, 'This entry is already on the blacklist');
  const [row] = await selectEntries(tx, tenantId, { id });
  if (!row) throw new Error('the inserted row was not found');
  return toBlacklistEntry(row);
}

export async function removeBlacklistEntry(
  tx: TenantTransaction,
  author: Author,
  id: number,
): Promise<undefined> {
  const isRemoved = await deleteEntry(tx, author.tenantId, id);
  if (!isRemoved) throw notFound('Blacklist entry');
}
