import { type ApiKeyScope, apiKeyScopes } from '@sluice/contract';
import { z } from 'zod';
import { createIndexedCollection, type IndexedCollection } from '../collection.ts';
import { column, integerId, type MirroredTable, readColumns, toMs } from './mirrored-table.ts';

const scopeLists = new Map<string, readonly ApiKeyScope[]>();
/** Shares one list among the many keys that have the same scopes. */
const shareScopes = (scopes: readonly ApiKeyScope[]) =>
  scopeLists.getOrInsertComputed(scopes.join(), () => scopes);

const { select, parse } = readColumns(
  {
    id: column('t.id', z.number()),
    userId: column('t.user_id', z.number()),
    name: column('t.name', z.string()),
    /** Key's HMAC in base64, which is its index. */
    hash: column(`encode(t.key_hash, 'base64')`, z.string()),
    scopes: column('t.scopes', z.array(z.enum(apiKeyScopes)).transform(shareScopes)),
    expiresAtMs: column(toMs('t.expires_at'), z.number().nullable()),
  },
  'api_keys t WHERE t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())',
);

export type ApiKeyEntry = ReturnType<typeof parse>;

/** Indexed by hash. */
export const apiKeys: MirroredTable<ApiKeyEntry, IndexedCollection<number, ApiKeyEntry>> = {
  name: 'api_keys',
  id: integerId,
  select,
  toEntry: parse,
  createRows: () => createIndexedCollection(({ hash }) => hash),
};
