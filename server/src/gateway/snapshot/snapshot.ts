import type pg from 'pg';
import { createSerialQueue } from '#platform/serial-queue.ts';
import {
  type Collection,
  createCollection,
  createIndexedCollection,
  type IndexedCollection,
} from './collection.ts';
import type {
  ApiKeyEntry,
  AssignmentEntry,
  BlacklistEntry,
  EndedSessionEntry,
  GrantEntry,
  InstanceEntry,
  PlatformSettingsEntry,
  PriceOverrideEntry,
  TaskEntry,
  TeamEntry,
  TeamGrantEntry,
  TeamMemberEntry,
  TenantEntry,
  UserEntry,
} from './entries.ts';
import {
  readAssignment,
  readBlacklistEntry,
  readTask,
  readTeam,
  readTeamGrant,
  readTeamMember,
} from './governed-rows.ts';
import { createMirror, type Mirror } from './mirror.ts';
import {
  type OpenApiKey,
  readApiKey,
  readEndedSession,
  readGrant,
  readInstance,
  readPlatformSettings,
  readPriceOverride,
  readTenant,
  readUser,
} from './rows.ts';

/** What the gate knows without asking the database: read at start, kept current by announced changes. */
export interface Snapshot {
  /** Indexed by slug. */
  readonly tenants: IndexedCollection<number, TenantEntry>;
  readonly users: Collection<number, UserEntry>;
  /** Indexed by hash. */
  readonly apiKeys: IndexedCollection<number, ApiKeyEntry>;
  readonly endedSessions: Collection<string, EndedSessionEntry>;
  /** Indexed by tenant. */
  readonly instances: IndexedCollection<number, InstanceEntry>;
  /** Indexed by user. */
  readonly grants: IndexedCollection<number, GrantEntry>;
  readonly teams: Collection<number, TeamEntry>;
  /** Indexed by user. */
  readonly teamMembers: IndexedCollection<number, TeamMemberEntry>;
  /** Indexed by team. */
  readonly teamGrants: IndexedCollection<number, TeamGrantEntry>;
  /** Indexed by tenant. */
  readonly blacklist: IndexedCollection<number, BlacklistEntry>;
  readonly tasks: Collection<number, TaskEntry>;
  /** Active ones, indexed by user. */
  readonly assignments: IndexedCollection<number, AssignmentEntry>;
  /** Indexed by owner. */
  readonly priceOverrides: IndexedCollection<number, PriceOverrideEntry>;
  readonly platformSettings: Collection<number, PlatformSettingsEntry>;
  /** Re-reads some rows of a table; ids that are gone leave the snapshot. */
  refresh(table: string, ids: readonly string[]): Promise<void>;
  /** Re-reads every table, in small pieces; changes are read in between. */
  load(): Promise<void>;
  /** Calls `listener` each time that rows have been read. */
  onRead(listener: () => void): void;
}

/** An empty snapshot over the database; call `load` before use. `openKey` opens a sealed provider key. */
export function createSnapshot(pool: pg.Pool, openKey: OpenApiKey): Snapshot {
  const collections = createCollections();
  const mirrors = createMirrors(pool, collections, openKey);
  const inTurn = createSerialQueue();
  const listeners: (() => void)[] = [];
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    ...collections,
    async refresh(table, ids) {
      const mirror = mirrors.get(table);
      if (!mirror) return;
      await mirror.refresh(ids);
      tell();
    },
    load: () =>
      inTurn(async () => {
        for (const mirror of mirrors.values()) {
          await mirror.load();
          tell();
        }
      }),
    onRead: (listener) => void listeners.push(listener),
  };
}

function createCollections(): Omit<Snapshot, 'refresh' | 'load' | 'onRead'> {
  return {
    tenants: createIndexedCollection<number, TenantEntry>(({ slug }) => slug),
    users: createCollection<number, UserEntry>(),
    apiKeys: createIndexedCollection<number, ApiKeyEntry>(({ hash }) => hash),
    endedSessions: createCollection<string, EndedSessionEntry>(),
    instances: createIndexedCollection<number, InstanceEntry>(({ tenantId }) => tenantId),
    grants: createIndexedCollection<number, GrantEntry>(({ userId }) => userId),
    teams: createCollection<number, TeamEntry>(),
    teamMembers: createIndexedCollection<number, TeamMemberEntry>(({ userId }) => userId),
    teamGrants: createIndexedCollection<number, TeamGrantEntry>(({ teamId }) => teamId),
    blacklist: createIndexedCollection<number, BlacklistEntry>(({ tenantId }) => tenantId),
    tasks: createCollection<number, TaskEntry>(),
    assignments: createIndexedCollection<number, AssignmentEntry>(({ userId }) => userId),
    priceOverrides: createIndexedCollection<number, PriceOverrideEntry>(({ owner }) => owner),
    platformSettings: createCollection<number, PlatformSettingsEntry>(),
  };
}

/** By table. */
function createMirrors(
  pool: pg.Pool,
  collections: ReturnType<typeof createCollections>,
  openKey: OpenApiKey,
): Map<string, Mirror> {
  const { tenants, users, apiKeys, endedSessions, instances, grants } = collections;
  const { teams, teamMembers, teamGrants, blacklist, tasks, assignments } = collections;
  const { priceOverrides, platformSettings } = collections;
  return new Map([
    ['tenants', createMirror(pool, readTenant, tenants, Number)],
    ['users', createMirror(pool, readUser, users, Number)],
    ['api_keys', createMirror(pool, readApiKey, apiKeys, Number)],
    ['sessions', createMirror(pool, readEndedSession, endedSessions, String)],
    ['llm_providers', createMirror(pool, readInstance(openKey), instances, Number)],
    ['user_provider_access', createMirror(pool, readGrant, grants, Number)],
    ['teams', createMirror(pool, readTeam, teams, Number)],
    ['team_members', createMirror(pool, readTeamMember, teamMembers, Number)],
    ['team_provider_access', createMirror(pool, readTeamGrant, teamGrants, Number)],
    ['blacklist_entries', createMirror(pool, readBlacklistEntry, blacklist, Number)],
    ['tasks', createMirror(pool, readTask, tasks, Number)],
    ['task_assignments', createMirror(pool, readAssignment, assignments, Number)],
    ['price_overrides', createMirror(pool, readPriceOverride, priceOverrides, Number)],
    ['platform_settings', createMirror(pool, readPlatformSettings, platformSettings, Number)],
  ]);
}
