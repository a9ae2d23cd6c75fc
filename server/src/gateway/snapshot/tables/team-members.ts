import { z } from 'zod';
import { createIndexedCollection, type IndexedCollection } from '../collection.ts';
import { column, integerId, type MirroredTable, readColumns } from './mirrored-table.ts';

const { select, parse } = readColumns(
  {
    id: column('t.id', z.number()),
    teamId: column('t.team_id', z.number()),
    userId: column('t.user_id', z.number()),
    isActive: column('t.is_active', z.boolean()),
  },
  'team_members t WHERE true',
);

type TeamMemberEntry = ReturnType<typeof parse>;

/** Indexed by user. */
export const teamMembers: MirroredTable<TeamMemberEntry, IndexedCollection<number, TeamMemberEntry>> = {
  name: 'team_members',
  id: integerId,
  select,
  toEntry: parse,
  createRows: () => createIndexedCollection(({ userId }) => userId),
};
