import { z } from 'zod';
import { type Collection, createCollection } from '../collection.ts';
import { column, integerId, type MirroredTable, readColumns } from './mirrored-table.ts';

const { select, parse } = readColumns(
  {
    id: column('t.id', z.number()),
    tenantId: column('t.tenant_id', z.number()),
    name: column('t.name', z.string()),
    isActive: column('t.is_active', z.boolean()),
  },
  'teams t WHERE true',
);

type TeamEntry = ReturnType<typeof parse>;

export const teams: MirroredTable<TeamEntry, Collection<number, TeamEntry>> = {
  name: 'teams',
  id: integerId,
  select,
  toEntry: parse,
  createRows: createCollection,
};
