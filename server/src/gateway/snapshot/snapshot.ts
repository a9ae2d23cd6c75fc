import type pg from 'pg';
import { promptly } from '#db/promptly.ts';
import { type Collection, createCollection } from './collection.ts';
import type {
  ApiKeyEntry,
  EndedSessionEntry,
  GrantEntry,
  InstanceEntry,
  PlatformSettingsEntry,
  PriceOverrideEntry,
  TenantEntry,
  UserEntry,
} from './entries.ts';
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
  /** Indexed by owner. */
  readonly priceOverrides: Collection<number, PriceOverrideEntry>;
  readonly platformSettings: Collection<number, PlatformSettingsEntry>;
  /** Re-reads some rows of a table; ids that are gone leave the snapshot. */
  refresh(table: string, ids: readonly string[]): Promise<void>;
  /** Re-reads every table. */
  load(): Promise<void>;
}

interface Source {
  readonly reader: RowReader<unknown>;
  replace(rows: readonly unknown[]): void;
  merge(ids: readonly string[], rows: readonly unknown[]): void;
}

/** An empty snapshot over the database; call `load` before use. `openKey` opens a sealed provider key. */
export function createSnapshot(pool: pg.Pool, openKey: OpenApiKey): Snapshot {
  const tenants = createCollection<number, TenantEntry>(() => null);
  const users = createCollection<number, UserEntry>(({ tenantId }) => tenantId);
  const apiKeys = createCollection<number, ApiKeyEntry>(({ hash }) => hash);
  const endedSessions = createCollection<string, EndedSessionEntry>(() => null);
  const instances = createCollection<number, InstanceEntry>(({ tenantId }) => tenantId);
  const grants = createCollection<number, GrantEntry>(({ userId }) => userId);
  const priceOverrides = createCollection<number, PriceOverrideEntry>(({ owner }) => owner);
  const platformSettings = createCollection<number, PlatformSettingsEntry>(() => null);
  const sources = new Map([
    ['tenants', mirror(readTenant, tenants, Number)],
    ['users', mirror(readUser, users, Number)],
    ['api_keys', mirror(readApiKey, apiKeys, Number)],
    ['sessions', mirror(readEndedSession, endedSessions, String)],
    ['llm_providers', mirror(readInstance(openKey), instances, Number)],
    ['user_provider_access', mirror(readGrant, grants, Number)],
    ['price_overrides', mirror(readPriceOverride, priceOverrides, Number)],
    ['platform_settings', mirror(readPlatformSettings, platformSettings, Number)],
  ]);
  const inTurn = createTurns();
  return {
    tenants,
    users,
    apiKeys,
    endedSessions,
    instances,
    grants,
    priceOverrides,
    platformSettings,
    refresh: (table, ids) =>
      inTurn(async () => {
        const source = sources.get(table);
        if (!source) return;
        const { select, idType } = source.reader;
        const { rows } = await pool.query(promptly(`${select} AND t.id = ANY($1::${idType}[])`, [ids]));
        source.merge(ids, rows);
      }),
    load: () =>
      inTurn(async () => {
        for (const source of sources.values()) {
          const { rows } = await pool.query(source.reader.select);
          source.replace(rows);
        }
      }),
  };
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
