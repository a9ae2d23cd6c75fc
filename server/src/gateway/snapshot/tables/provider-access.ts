import { z } from 'zod';
import type { Grant, TeamGrant } from '#domain/access/check-model.ts';
import { createIndexedCollection, type IndexedCollection } from '../collection.ts';
import { column, integerId, type MirroredTable, readColumns } from './mirrored-table.ts';

const { select: selectUserAccess, parse: parseUserAccess } = readColumns(
  {
    id: column('t.id', z.number()),
    userId: column('t.user_id', z.number()),
    instanceId: column('t.llm_provider_id', z.number()),
    models: column('t.allowed_models', z.array(z.string())),
  },
  'user_provider_access t WHERE true',
);

interface GrantEntry extends Grant {
  readonly id: number;
  readonly userId: number;
}

export const grants: MirroredTable<GrantEntry, IndexedCollection<number, GrantEntry>> = {
  name: 'user_provider_access',
  id: integerId,
  select: selectUserAccess,
  toEntry(row) {
    const { models, ...grant } = parseUserAccess(row);
    return { ...grant, models: new Set(models) };
  },
  createRows: () => createIndexedCollection(({ userId }) => userId),
};

const { select: selectTeamAccess, parse: parseTeamAccess } = readColumns(
  {
    id: column('t.id', z.number()),
    teamId: column('t.team_id', z.number()),
    instanceId: column('t.llm_provider_id', z.number()),
    models: column('t.allowed_models', z.array(z.string())),
  },
  'team_provider_access t WHERE true',
);

interface TeamGrantEntry extends TeamGrant {
  readonly id: number;
}

export const teamGrants: MirroredTable<TeamGrantEntry, IndexedCollection<number, TeamGrantEntry>> = {
  name: 'team_provider_access',
  id: integerId,
  select: selectTeamAccess,
  toEntry(row) {
    const { models, ...grant } = parseTeamAccess(row);
    return { ...grant, models: new Set(models) };
  },
  createRows: () => createIndexedCollection(({ teamId }) => teamId),
};
