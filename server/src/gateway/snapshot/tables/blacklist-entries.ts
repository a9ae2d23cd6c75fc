import { z } from 'zod';
import { type Block, createBlock } from '#domain/access/block.ts';
import { createIndexedCollection, type IndexedCollection } from '../collection.ts';
import { column, integerId, type MirroredTable, readColumns } from './mirrored-table.ts';

const { select, parse } = readColumns(
  {
    id: column('t.id', z.number()),
    tenantId: column('t.tenant_id', z.number()),
    providerKey: column('t.provider_key', z.string()),
    modelPattern: column('t.model_pattern', z.string().nullable()),
    reason: column('t.reason', z.string()),
  },
  'blacklist_entries t WHERE true',
);

interface BlacklistEntry extends Block {
  readonly tenantId: number;
}

/** Indexed by tenant. */
export const blacklist: MirroredTable<BlacklistEntry, IndexedCollection<number, BlacklistEntry>> = {
  name: 'blacklist_entries',
  id: integerId,
  select,
  toEntry(row) {
    const entry = parse(row);
    return { ...createBlock(entry), tenantId: entry.tenantId };
  },
  createRows: () => createIndexedCollection(({ tenantId }) => tenantId),
};
