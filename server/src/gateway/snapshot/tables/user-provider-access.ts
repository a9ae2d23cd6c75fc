import { z } from 'zod';
import type { Grant } from '#domain/access/check-model.ts';
import { createIndexedCollection, type IndexedCollection } from '../collection.ts';
import { column, integerId, type MirroredTable, readColumns } from './mirrored-table.ts';

const { select, parse } = readColumns(
  {
    id: column('t.id', z.number()),
    userId: column('t.user_id', z.number()),
    instanceId: column('t.llm_provider_id', z.number()),
    models: column('t.allowed_models', z.array(z.string())),
  },
  'user_provider_access t WHERE true',
);

/** A direct grant. */
interface GrantEntry extends Grant {
  readonly id: number;
  readonly userId: number;
}

/** Indexed by user. */
export const grants: MirroredTable<GrantEntry, IndexedCollection<number, GrantEntry>> = {
  name: 'user_provider_access',
  id: integerId,
  select,
  toEntry(row) {
    const { models, ...grant } = parse(row);
    return { ...grant, models: new Set(models) };
  },
  createRows: () => createIndexedCollection(({ userId }) => userId),
};
