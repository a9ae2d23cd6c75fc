import type {
  ApiKey,
  apiKeysRoutes,
  createApiKeyOfBody,
  createNamedApiKeyBody,
  updateApiKeyBody,
} from '@sluice/contract';
import type { z } from 'zod';
import { readSpend } from '#console/analytics/spend.ts';
import { getSettings } from '#console/settings/settings.ts';
import { lockTarget } from '#console/users/target.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { formatTotalCount } from '#domain/total-count.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { RouteInput } from '#http/console-route.ts';
import { Page } from '#http/verbs.ts';
import type { Keyring } from '#platform/keyring.ts';
import { checkKeyLimits } from './check-limits.ts';
import { chooseExpiry, secondMs, storeNewKey } from './issue.ts';
import {
  changeKey,
  countKeys,
  countLiveKeys,
  endKey,
  endReplacedKeys,
  type LockedKey,
  lockKey,
  selectKeyRows,
  supersedeLockedKey,
  toApiKey,
} from './key-rows.ts';
import { revokeKeys } from './store.ts';

export type KeysKeyring = Pick<Keyring, 'hashApiKey' | 'sealingKey'>;

export interface NewApiKey {
  readonly api_key: string;
  readonly key: ApiKey;
}

export async function listApiKeysOfTenant(
  tx: TenantTransaction,
  { tenantId }: Principal,
  { user_id: userId, skip, limit, ...query }: RouteInput<typeof apiKeysRoutes.listApiKeys>['query'],
): Promise<Page<ApiKey[]>> {
  const selection = { ...query, userId };
  const rows = await selectKeyRows(tx, tenantId, selection, { skip, limit });
  const spendOf = await readSpend(tx, tenantId, 'apiKey', userId === undefined ? {} : { user_id: userId });
  return new Page(
    rows.map((row) => toApiKey(row, spendOf)),
    formatTotalCount(await countKeys(tx, tenantId, selection)),
  );
}

export async function createApiKey(
  keyring: KeysKeyring,
  tx: TenantTransaction,
  author: Principal,
  { user_id, service_account_id, ...body }: z.output<typeof createApiKeyOfBody>,
): Promise<NewApiKey> {
  const userId = user_id ?? service_account_id;
  if (userId === undefined) throw notFound('User');
  const { kind } = await lockTarget(tx, author, userId);
  if (service_account_id !== undefined && kind !== 'service') throw notFound('Service account');
  return createNamedKey(keyring, tx, author, { userId, body });
}

/** The user must be locked. */
export async function createNamedKey(
  keyring: KeysKeyring,
  tx: TenantTransaction,
  author: Principal,
  { userId, body }: { readonly userId: number; readonly body: z.output<typeof createNamedApiKeyBody> },
): Promise<NewApiKey> {
  await requireRoom(tx, author.tenantId, userId);
  await checkKeyLimits(keyring, tx, author, { userId, chosen: body });
  const { allowed_networks: networks, task_id: taskId, expires_at: expiresAt, ...limits } = body;
  return storeKey(keyring, tx, author, {
    ...limits,
    networks,
    userId,
    kind: 'named',
    taskId,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
  });
}

/** `createdBy` is the caller by default. A replacement keeps the creator of the previous key. */
type StoredKey = Omit<Parameters<typeof storeNewKey>[2], 'tenantId' | 'createdBy'> & {
  readonly createdBy?: number | null;
};

/**
 * Stores a key and returns it with its secret.
 * @throws ConsoleError 409 if the user already has an active primary key
 */
export async function storeKey(
  keyring: KeysKeyring,
  tx: TenantTransaction,
  { tenantId, userId }: Principal,
  key: StoredKey,
): Promise<NewApiKey> {
  const stored = await storeNewKey(keyring, tx, { createdBy: userId, ...key, tenantId });
  if (!stored) throw new ConsoleError(409, 'This user already has an active API key');
  return { api_key: stored.apiKey, key: await readApiKey(tx, tenantId, stored.id) };
}

/** @throws ConsoleError 409 if the user already has the maximum number of named keys */
async function requireRoom(tx: TenantTransaction, tenantId: number, userId: number): Promise<void> {
  const { api_keys_per_user: max } = await getSettings(tx, { tenantId });
  const present = await countLiveKeys(tx, { tenantId, userId, kind: 'named' });
  if (present < max) return;
  throw new ConsoleError(
    409,
    `Limit for named API keys reached: ${present} of ${max} for this user. Revoke one, or ask an administrator to raise the limit in the settings.`,
  );
}

export async function readApiKey(tx: TenantTransaction, tenantId: number, id: number): Promise<ApiKey> {
  const [row] = await selectKeyRows(tx, tenantId, { id }, { skip: 0, limit: 1 });
  if (!row) throw notFound('API key');
  return toApiKey(row, await readSpend(tx, tenantId, 'apiKey', { user_id: row.key.userId }));
}

/**
 * Locks a key's owner and then the key, in the order used by all key changes.
 * @throws ConsoleError 404 if the tenant does not have the key, 403 if the owner's role is above the caller's role
 */
async function lockKeyOfTenant(tx: TenantTransaction, author: Principal, id: number): Promise<LockedKey> {
  const [row] = await selectKeyRows(tx, author.tenantId, { id }, { skip: 0, limit: 1 });
  if (!row) throw notFound('API key');
  await lockTarget(tx, author, row.key.userId);
  const locked = await lockKey(tx, author.tenantId, id);
  if (!locked) throw notFound('API key');
  return locked;
}

export async function updateApiKey(
  keyring: KeysKeyring,
  tx: TenantTransaction,
  author: Principal,
  { id, body }: { readonly id: number; readonly body: z.output<typeof updateApiKeyBody> },
): Promise<ApiKey> {
  return updateKey(keyring, tx, author, { locked: await lockKeyOfTenant(tx, author, id), body });
}

export async function updateKey(
  keyring: KeysKeyring,
  tx: TenantTransaction,
  author: Principal,
  { locked, body }: { readonly locked: LockedKey; readonly body: z.output<typeof updateApiKeyBody> },
): Promise<ApiKey> {
  const { key, state } = locked;
  requireChangeable(locked);
  if (state !== 'active') throw endedKeyError(state, 'be changed');
  const { allowed_networks: networks, task_id: taskId, expires_at: expiresAt, ...others } = body;
  await checkKeyLimits(keyring, tx, author, { userId: key.userId, chosen: body, current: key });
  await changeKey(tx, key.id, {
    ...others,
    networks,
    taskId,
    expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : expiresAt,
  });
  return readApiKey(tx, author.tenantId, key.id);
}

function requireChangeable({ key }: LockedKey): void {
  if (key.kind !== 'task') return;
  throw new ConsoleError(
    409,
    'A task key cannot be changed or rotated. Revoke it, and create another one for the task.',
  );
}

const endedWords = {
  superseded: 'has been replaced by a new key',
  expired: 'has expired',
  revoked: 'has been revoked',
};

export function endedKeyError(state: keyof typeof endedWords, change: string): ConsoleError {
  return new ConsoleError(
    409,
    `This API key ${endedWords[state]} and cannot ${change}. Use another key, or create one.`,
  );
}

interface Rotation {
  readonly expires_at?: string | null | undefined;
  readonly overlap_seconds: number;
}

export async function rotateApiKey(
  keyring: KeysKeyring,
  tx: TenantTransaction,
  author: Principal,
  { id, rotation }: { readonly id: number; readonly rotation: Rotation },
): Promise<NewApiKey> {
  return rotateKey(keyring, tx, author, { locked: await lockKeyOfTenant(tx, author, id), rotation });
}

/** Replaces a key with a new one that has the same restrictions. The key and its user must be locked. */
export async function rotateKey(
  keyring: KeysKeyring,
  tx: TenantTransaction,
  author: Principal,
  { locked, rotation }: { readonly locked: LockedKey; readonly rotation: Rotation },
): Promise<NewApiKey> {
  const { key, state } = locked;
  const { tenantId } = author;
  requireChangeable(locked);
  if (state === 'superseded' || state === 'revoked') throw endedKeyError(state, 'be rotated');
  if (state === 'expired' && key.kind === 'named') await requireRoom(tx, tenantId, key.userId);
  await endReplacedKeys(tx, tenantId, key.id);
  if (key.kind === 'primary') await revokeKeys(tx, tenantId, key.userId, 'superseded');
  const { overlap_seconds: overlapSeconds } = rotation;
  if (overlapSeconds === 0) await endKey(tx, key.id);
  else await supersedeLockedKey(tx, key.id, new Date(Date.now() + overlapSeconds * secondMs));
  // Keep the creator, because users may change restrictions of keys that they created.
  const { userId, createdBy, kind, name, scopes, models, dialects, networks, taskId, labels } = key;
  const kept = { userId, createdBy, kind, name, scopes, models, dialects, networks, taskId, labels };
  const expiresAt = chooseExpiry(rotation.expires_at, key);
  const created = await storeKey(keyring, tx, author, { ...kept, expiresAt });
  await changeKey(tx, key.id, { replacedBy: created.key.id });
  return created;
}

export async function revokeApiKey(tx: TenantTransaction, author: Principal, id: number): Promise<ApiKey> {
  return revokeKey(tx, author, await lockKeyOfTenant(tx, author, id));
}

/** Revokes a locked key. Has no effect if the key is already revoked. */
export async function revokeKey(
  tx: TenantTransaction,
  { tenantId }: Principal,
  { key }: LockedKey,
): Promise<ApiKey> {
  await endKey(tx, key.id);
  return readApiKey(tx, tenantId, key.id);
}
