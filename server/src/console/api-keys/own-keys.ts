import type {
  ApiKey,
  createNamedApiKeyBody,
  OwnApiKeys,
  regenerateOwnApiKeyBody,
  updateApiKeyBody,
} from '@sluice/contract';
import type { z } from 'zod';
import { readSpend } from '#console/analytics/spend.ts';
import { getSettings } from '#console/settings/settings.ts';
import { lockSelf } from '#console/users/target.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import { requireFewNewKeys } from './issue.ts';
import { type LockedKey, lockKey, selectKeyRows, toApiKey } from './key-rows.ts';
import {
  createNamedKey,
  endedKeyError,
  type KeysKeyring,
  type NewApiKey,
  revokeKey,
  rotateKey,
  updateKey,
} from './named-keys.ts';

/** Upper bound on the number of keys of a user. `stored_bounds` limits the number of revoked and expired keys. */
const listedMax = 300;

export async function listUserApiKeys(tx: TenantTransaction, author: Principal): Promise<OwnApiKeys> {
  const { tenantId, userId } = author;
  const rows = await selectKeyRows(tx, tenantId, { userId }, { skip: 0, limit: listedMax });
  const spendOf = await readSpend(tx, tenantId, 'apiKey', { user_id: userId });
  const settings = await getSettings(tx, author);
  return {
    api_keys: rows.map((row) => toApiKey(row, spendOf)),
    named_keys_max: settings.api_keys_per_user,
    may_create: settings.users_create_keys,
    may_rotate: settings.users_regenerate_keys,
  };
}

/**
 * @throws ConsoleError 403 if the tenant does not allow users to create keys, 429 after too many new keys in 24 hours
 */
export async function createOwnApiKey(
  keyring: KeysKeyring,
  tx: TenantTransaction,
  author: Principal,
  body: z.output<typeof createNamedApiKeyBody>,
): Promise<NewApiKey> {
  await requireOwnCreation(tx, author, 'create');
  await lockSelf(tx, author);
  await requireFewNewKeys(tx, author.tenantId, author.userId);
  return createNamedKey(keyring, tx, author, { userId: author.userId, body });
}

async function requireOwnCreation(tx: TenantTransaction, author: Principal, verb: string): Promise<void> {
  if ((await getSettings(tx, author)).users_create_keys) return;
  throw new ConsoleError(
    403,
    `Your organization does not let users ${verb} API keys. Ask an administrator to do it.`,
  );
}

async function lockOwnKey(tx: TenantTransaction, author: Principal, id: number): Promise<LockedKey> {
  await lockSelf(tx, author);
  const locked = await lockKey(tx, author.tenantId, id);
  if (locked?.key.userId !== author.userId) throw notFound('API key');
  return locked;
}

/**
 * @throws ConsoleError 403 for a primary key or a key that another user created, or if the tenant does not allow
 * changes; 404 for another user's key, 409 if the key is not active
 */
export async function updateOwnApiKey(
  keyring: KeysKeyring,
  tx: TenantTransaction,
  author: Principal,
  { id, body }: { readonly id: number; readonly body: z.output<typeof updateApiKeyBody> },
): Promise<ApiKey> {
  const locked = await lockOwnKey(tx, author, id);
  await requireOwnCreation(tx, author, 'change');
  const { kind, createdBy } = locked.key;
  if (kind === 'primary' || createdBy !== author.userId) {
    throw new ConsoleError(403, 'An administrator set up this API key. Ask an administrator to change it.');
  }
  return updateKey(keyring, tx, author, { locked, body });
}

/**
 * Replaces one of the caller's active keys with a new key that has the same restrictions and expiry.
 * @throws ConsoleError 403 if the tenant does not allow this, 404 for another user's key, 409 if the key is not
 * active, 429 after too many new keys in 24 hours
 */
export async function rotateOwnApiKey(
  keyring: KeysKeyring,
  tx: TenantTransaction,
  author: Principal,
  { id, rotation }: { readonly id: number; readonly rotation: z.output<typeof regenerateOwnApiKeyBody> },
): Promise<NewApiKey> {
  const locked = await lockOwnKey(tx, author, id);
  if (!(await getSettings(tx, author)).users_regenerate_keys) {
    throw new ConsoleError(
      403,
      'Your organization does not let users regenerate their API keys. Ask an administrator to do it.',
    );
  }
  await requireFewNewKeys(tx, author.tenantId, author.userId);
  const { key, state } = locked;
  if (state !== 'active') throw endedKeyError(state, 'be rotated');
  const expires_at = key.expiresAt?.toISOString() ?? null;
  return rotateKey(keyring, tx, author, { locked, rotation: { ...rotation, expires_at } });
}

/** Revokes one of the caller's keys. Always allowed, so that users can revoke a leaked key regardless of settings. */
export async function revokeOwnApiKey(tx: TenantTransaction, author: Principal, id: number): Promise<ApiKey> {
  return revokeKey(tx, author, await lockOwnKey(tx, author, id));
}
