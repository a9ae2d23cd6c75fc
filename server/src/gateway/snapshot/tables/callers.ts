import { type ApiKeyScope, apiKeyDialects, apiKeyKinds, apiKeyScopes, roleNames } from '@sluice/contract';
import { z } from 'zod';
import type { DeviationState } from '#domain/deviation/fold.ts';
import type { ApiKeyLimits } from '#domain/principal.ts';
import { createNetworkCheck } from '#platform/networks.ts';
import {
  type Collection,
  createCollection,
  createIndexedCollection,
  type IndexedCollection,
} from '../collection.ts';
import {
  column,
  integerId,
  labelsColumn,
  type MirroredTable,
  readColumns,
  toMs,
  uuidId,
} from './mirrored-table.ts';

const pace = z.object({ hourStartMs: z.number(), requests: z.number(), usual: z.number() });
const recentAsks = z.object({ hashes: z.array(z.string()), values: z.record(z.string(), z.number()) });

const { select: selectUsers, parse: parseUsers } = readColumns(
  {
    id: column('t.id', z.number()),
    tenantId: column('t.tenant_id', z.number()),
    name: column('t.name', z.string()),
    email: column('t.email', z.string()),
    role: column('r.name', z.enum(roleNames)),
    isActive: column('t.is_active', z.boolean()),
    blockedReason: column(
      `CASE WHEN t.is_blocked THEN COALESCE(t.blocked_reason, '') END`,
      z.string().nullable(),
    ),
    tokenVersion: column('t.token_version', z.number()),
    hasSecondFactor: column('t.has_second_factor', z.boolean()),
    scoresDeviation: column('t.scores_deviation', z.boolean()),
    labels: labelsColumn,
    score: column('t.deviation_score', z.number()),
    scoredAtMs: column(toMs('t.deviation_scored_at'), z.number().nullable()),
    pace: column('t.deviation_pace', pace.nullable()),
    recent: column('t.deviation_recent', recentAsks.nullable()),
  },
  'users t JOIN roles r ON r.id = t.role_id WHERE true',
);

type UserRow = ReturnType<typeof parseUsers>;

export interface UserEntry extends Omit<UserRow, keyof DeviationState> {
  /** Score when the row was last read. Changes of the score alone are not announced. */
  readonly deviation: DeviationState;
}

export const users: MirroredTable<UserEntry, Collection<number, UserEntry>> = {
  name: 'users',
  id: integerId,
  select: selectUsers,
  toEntry(row) {
    const { score, scoredAtMs, pace, recent, ...user } = parseUsers(row);
    return { ...user, deviation: { score, scoredAtMs, pace, recent } };
  },
  createRows: createCollection,
};

const { select: selectEndedSessions, parse: parseEndedSessions } = readColumns(
  { id: column('t.id', z.string()) },
  'sessions t WHERE t.ended_at IS NOT NULL AND t.expires_at > now()',
);

type EndedSessionEntry = ReturnType<typeof parseEndedSessions>;

export const endedSessions: MirroredTable<EndedSessionEntry, Collection<string, EndedSessionEntry>> = {
  name: 'sessions',
  id: uuidId,
  select: selectEndedSessions,
  toEntry: parseEndedSessions,
  createRows: createCollection,
};

const { select: selectTeamMembers, parse: parseTeamMembers } = readColumns(
  {
    id: column('t.id', z.number()),
    teamId: column('t.team_id', z.number()),
    userId: column('t.user_id', z.number()),
    isActive: column('t.is_active', z.boolean()),
  },
  'team_members t WHERE true',
);

type TeamMemberEntry = ReturnType<typeof parseTeamMembers>;

export const teamMembers: MirroredTable<TeamMemberEntry, IndexedCollection<number, TeamMemberEntry>> = {
  name: 'team_members',
  id: integerId,
  select: selectTeamMembers,
  toEntry: parseTeamMembers,
  createRows: () => createIndexedCollection(({ userId }) => userId),
};

const { select: selectTeams, parse: parseTeams } = readColumns(
  {
    id: column('t.id', z.number()),
    tenantId: column('t.tenant_id', z.number()),
    name: column('t.name', z.string()),
    isActive: column('t.is_active', z.boolean()),
    labels: labelsColumn,
  },
  'teams t WHERE true',
);

export type TeamEntry = ReturnType<typeof parseTeams>;

export const teams: MirroredTable<TeamEntry, Collection<number, TeamEntry>> = {
  name: 'teams',
  id: integerId,
  select: selectTeams,
  toEntry: parseTeams,
  createRows: createCollection,
};

const scopeLists = new Map<string, readonly ApiKeyScope[]>();
const shareScopes = (scopes: readonly ApiKeyScope[]) =>
  scopeLists.getOrInsertComputed(scopes.join(), () => scopes);

const { select: selectApiKeys, parse: parseApiKeys } = readColumns(
  {
    id: column('t.id', z.number()),
    userId: column('t.user_id', z.number()),
    name: column('t.name', z.string()),
    /** Base64 of the key's HMAC, used as the index. */
    hash: column(`encode(t.key_hash, 'base64')`, z.string()),
    scopes: column('t.scopes', z.array(z.enum(apiKeyScopes)).transform(shareScopes)),
    expiresAtMs: column(toMs('t.expires_at'), z.number().nullable()),
    kind: column('t.kind', z.enum(apiKeyKinds)),
    models: column('t.models', z.array(z.string()).nullable()),
    dialects: column('t.dialects', z.array(z.enum(apiKeyDialects)).nullable()),
    networks: column('t.networks', z.array(z.string()).nullable()),
    taskId: column('t.task_id', z.number().nullable()),
    mintedBy: column('t.minted_by', z.number().nullable()),
    /** Id of the key that replaced this key, which remains valid for a while. */
    replacedBy: column('t.replaced_by', z.number().nullable()),
    labels: labelsColumn,
  },
  'api_keys t WHERE t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())',
);

type ApiKeyRow = ReturnType<typeof parseApiKeys>;

export interface ApiKeyEntry extends Omit<ApiKeyRow, 'kind' | 'models' | 'dialects' | 'networks' | 'taskId'> {
  /** `null` for a key without restrictions, the usual case. */
  readonly limits: ApiKeyLimits | null;
}

function toLimits({ kind, models, dialects, networks, taskId }: ApiKeyRow): ApiKeyLimits | null {
  const isTaskKey = kind === 'task';
  if (!models && !dialects && !networks && taskId === null && !isTaskKey) return null;
  return {
    models: models && new Set(models),
    dialects,
    isAllowedAddress: networks && createNetworkCheck(networks),
    taskId,
    isTaskKey,
  };
}

export const apiKeys: MirroredTable<ApiKeyEntry, IndexedCollection<number, ApiKeyEntry>> = {
  name: 'api_keys',
  id: integerId,
  select: selectApiKeys,
  toEntry(row) {
    const parsed = parseApiKeys(row);
    const { id, userId, name, hash, scopes, expiresAtMs, labels, mintedBy, replacedBy } = parsed;
    const limits = toLimits(parsed);
    return { id, userId, name, hash, scopes, expiresAtMs, labels, mintedBy, replacedBy, limits };
  },
  createRows: () => createIndexedCollection(({ hash }) => hash),
};
