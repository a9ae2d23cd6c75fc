import { z } from 'zod';
import { createIndexedCollection, type IndexedCollection } from '../collection.ts';
import { column, integerId, type MirroredTable, readColumns, toMs } from './mirrored-table.ts';

const { select, parse } = readColumns(
  {
    id: column('t.id', z.number()),
    instanceId: column('t.llm_provider_id', z.number()),
    model: column('t.model', z.string()),
    kind: column('t.kind', z.enum(['field', 'efforts', 'responses', 'output', 'context'])),
    value: column('t.value', z.string()),
    userId: column('t.user_id', z.number().nullable()),
    isConfirmed: column('t.is_confirmed', z.boolean()),
    refusedAtMs: column(toMs('t.refused_at'), z.number()),
  },
  'provider_refusals t WHERE true',
);

type ProviderRefusalEntry = ReturnType<typeof parse>;

export const providerRefusals: MirroredTable<
  ProviderRefusalEntry,
  IndexedCollection<number, ProviderRefusalEntry>
> = {
  name: 'provider_refusals',
  id: integerId,
  select,
  toEntry: parse,
  createRows: () => createIndexedCollection(({ instanceId }) => instanceId),
};
