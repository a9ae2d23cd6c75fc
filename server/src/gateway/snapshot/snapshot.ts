import type pg from 'pg';
import { promptly } from '#db/promptly.ts';
import { type Collection, createCollection } from './collection.ts';
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
import {
  type OpenApiKey,
  type RowReader,
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
  readonly tenants: Collection<number, TenantEntry>;
  readonly users: Collection<number, UserEntry>;
  /** Indexed by hash. */
  readonly apiKeys: Collection<number, ApiKeyEntry>;
  readonly endedSessions: Collection<string, EndedSessionEntry>;
  /** Indexed by tenant. */
  readonly instances: Collection<number, InstanceEntry>;
  /** Indexed by user. */
  readonly grants: Collection<number, GrantEntry>;
  readonly teams: Collection<number, TeamEntry>;
  /** Indexed by user. */
  readonly teamMembers: Collection<number, TeamMemberEntry>;
  /** Indexed by team. */
  readonly teamGrants: Collection<number, TeamGrantEntry>;
  /** Indexed by tenant. */
  readonly blacklist: Collection<number, BlacklistEntry>;
  readonly tasks: Collection<number, TaskEntry>;
  /** Active ones, indexed by user. */
  readonly assignments: Collection<number, AssignmentEntry>;
  /** Indexed by owner. */
  readonly priceOverrides: Collection<number, PriceOverrideEntry>;
  readonly platformSettings: Collection<number, PlatformSettingsEntry>;
  /** Re-reads some rows of a table; ids that are gone leave the snapshot. */
  refresh(table: string, ids: readonly string[]): Promise<void>;
  /** Re-reads every table. */
  load(): Promise<void>;
  /** Calls `listener` each time that rows have been read. */
  onRead(listener: () => void): void;
}

interface Source {
  readonly reader: RowReader<unknown>;
  replace(rows: readonly unknown[]): void;
  merge(ids: readonly string[], rows: readonly unknown[]): void;
}

/** An empty snapshot over the database; call `load` before use. `openKey` opens a sealed provider key. */
export function createSnapshot(pool: pg.Pool, openKey: OpenApiKey): Snapshot {
  const collections = createCollections();
  const sources = listSources(collections, openKey);
  const inTurn = createTurns();
  const listeners: (() => void)[] = [];
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    ...collections,
    refresh: (table, ids) =>
      inTurn(async () => {
        const source = sources.get(table);
        if (!source) return;
        const { select, idType } = source.reader;
        const { rows } = await pool.query(promptly(`${select} AND t.id = ANY($1::${idType}[])`, [ids]));
        source.merge(ids, rows);
        tell();
      }),
    load: () =>
      inTurn(async () => {
        for (const source of sources.values()) {
          const { rows } = await pool.query(source.reader.select);
          source.replace(rows);
        }
        tell();
      }),
    onRead: (listener) => void listeners.push(listener),
  };
}

function createCollections(): Omit<Snapshot, 'refresh' | 'load' | 'onRead'> {
  return {
    tenants: createCollection<number, TenantEntry>(({ slug }) => slug),
    users: createCollection<number, UserEntry>(({ tenantId }) => tenantId),
    apiKeys: createCollection<number, ApiKeyEntry>(({ hash }) => hash),
    endedSessions: createCollection<string, EndedSessionEntry>(() => null),
    instances: createCollection<number, InstanceEntry>(({ tenantId }) => tenantId),
    grants: createCollection<number, GrantEntry>(({ userId }) => userId),
    teams: createCollection<number, TeamEntry>(({ tenantId }) => tenantId),
    teamMembers: createCollection<number, TeamMemberEntry>(({ userId }) => userId),
    teamGrants: createCollection<number, TeamGrantEntry>(({ teamId }) => teamId),
    blacklist: createCollection<number, BlacklistEntry>(({ tenantId }) => tenantId),
    tasks: createCollection<number, TaskEntry>(({ tenantId }) => tenantId),
    assignments: createCollection<number, AssignmentEntry>(({ userId }) => userId),
    priceOverrides: createCollection<number, PriceOverrideEntry>(({ owner }) => owner),
    platformSettings: createCollection<number, PlatformSettingsEntry>(() => null),
  };
}

/** By table, what reads its rows. */
function listSources(
  collections: ReturnType<typeof createCollections>,
  openKey: OpenApiKey,
): Map<string, Source> {
  return new Map([
    ['tenants', mirror(readTenant, collections.tenants, Number)],
    ['users', mirror(readUser, collections.users, Number)],
    ['api_keys', mirror(readApiKey, collections.apiKeys, Number)],
    ['sessions', mirror(readEndedSession, collections.endedSessions, String)],
    ['llm_providers', mirror(readInstance(openKey), collections.instances, Number)],
    ['user_provider_access', mirror(readGrant, collections.grants, Number)],
    ['teams', mirror(readTeam, collections.teams, Number)],
    ['team_members', mirror(readTeamMember, collections.teamMembers, Number)],
    ['team_provider_access', mirror(readTeamGrant, collections.teamGrants, Number)],
    ['blacklist_entries', mirror(readBlacklistEntry, collections.blacklist, Number)],
    ['tasks', mirror(readTask, collections.tasks, Number)],
    ['task_assignments', mirror(readAssignment, collections.assignments, Number)],
    ['price_overrides', mirror(readPriceOverride, collections.priceOverrides, Number)],
    ['platform_settings', mirror(readPlatformSettings, collections.platformSettings, Number)],
  ]);
}

/** One read after the other: two at once could end in the other order, and the older one bring back what is gone. */
function createTurns(): (read: () => Promise<void>) => Promise<void> {
  let last = Promise.resolve();
  return (read) => {
    const turn = last.then(read);
    last = turn.catch(() => undefined);
    return turn;
  };
}

function mirror<Id, Entry extends { readonly id: Id }>(
  reader: RowReader<Entry>,
  collection: Collection<Id, Entry>,
  parseId: (id: string) => Id,
): Source {
  return {
    reader,
    replace: (rows) => collection.reset(rows.map(reader.toEntry)),
    merge(ids, rows) {
      const entries = rows.map(reader.toEntry);
      const present = new Set(entries.map(({ id }) => id));
      for (const id of ids.map(parseId)) if (!present.has(id)) collection.remove(id);
      for (const entry of entries) collection.put(entry);
    },
  };
}
