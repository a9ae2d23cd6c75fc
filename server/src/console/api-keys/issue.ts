import { randomBytes } from 'node:crypto';
import {
  type ApiKeyScope,
  apiKeyScopes,
  type createApiKeyBody,
  type regenerateApiKeyBody,
} from '@sluice/contract';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { z } from 'zod';
import { getSettings } from '#console/settings/settings.ts';
import { lockSelf, lockTarget } from '#console/users/target.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { formatApiKey } from '#domain/api-key.ts';
import { formatWait } from '#domain/format-time.ts';
import type { Author, Principal } from '#domain/principal.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { Keyring } from '#platform/keyring.ts';
import { changeKey } from './key-rows.ts';
import {
  findNewestKey,
  findWaitForNewKey,
  insertKey,
  type NewKey,
  revokeKeys,
  supersedeKey,
} from './store.ts';

export interface KeyOwner
  extends Partial<Pick<NewKey, 'models' | 'dialects' | 'networks' | 'taskId' | 'labels'>> {
  tenantId: number;
  userId: number;
  keyName: string;
  /** All scopes by default. */
  scopes?: readonly ApiKeyScope[];
  /** Expiry of the key; `null` (default) means that the key does not expire. */
  expiresAt?: Date | null;
}

/**
 * Creates a primary key and returns its plaintext, which cannot be retrieved later because the database stores only a
 * hash.
 * @throws ConsoleError 409 if the owner already has an active primary key
 */
export async function issueApiKey(
  keyring: Pick<Keyring, 'hashApiKey'>,
  tx: NodePgDatabase,
  owner: KeyOwner,
  createdBy: number | null,
): Promise<string> {
  return (await issuePrimaryKey(keyring, tx, owner, createdBy)).apiKey;
}

async function issuePrimaryKey(
  keyring: Pick<Keyring, 'hashApiKey'>,
  tx: NodePgDatabase,
  { keyName: name, ...owner }: KeyOwner,
  createdBy: number | null,
) {
  const stored = await storeNewKey(keyring, tx, {
    scopes: apiKeyScopes,
    expiresAt: null,
    ...owner,
    name,
    createdBy,
  });
  if (!stored) throw new ConsoleError(409, 'This user already has an active API key');
  return stored;
}

/** Creates a key of any kind. Returns its id and plaintext, or `null` if the key conflicts with another key. */
export async function storeNewKey(
  keyring: Pick<Keyring, 'hashApiKey'>,
  tx: NodePgDatabase,
  key: Omit<NewKey, 'keyHash' | 'last4'>,
): Promise<{ readonly id: number; readonly apiKey: string } | null> {
  const apiKey = formatApiKey(randomBytes(64));
  const id = await insertKey(tx, {
    ...key,
    keyHash: keyring.hashApiKey(apiKey),
    last4: apiKey.slice(-4),
  });
  return id === null ? null : { id, apiKey };
}

export const primaryKeyName = (userName: string): string => `${userName}'s key`;

/**
 * Revokes expired primary keys before creating the new one, because an unrevoked key would conflict with it.
 * @throws ConsoleError 409 if the user has an active primary key, 404 or 403 like `lockTarget`
 */
export async function createUserApiKey(
  keyring: Pick<Keyring, 'hashApiKey'>,
  tx: TenantTransaction,
  author: Author,
  { userId, key }: { readonly userId: number; readonly key: z.output<typeof createApiKeyBody> },
): Promise<{ api_key: string }> {
  const { scopes, expires_at } = key;
  const { tenantId } = author;
  const { name } = await lockTarget(tx, author, userId);
  await revokeKeys(tx, tenantId, userId, 'expired');
  const expiresAt = expires_at === null ? null : new Date(expires_at);
  const owner = { tenantId, userId, keyName: primaryKeyName(name), scopes, expiresAt };
  return { api_key: await issueApiKey(keyring, tx, owner, author.userId) };
}

type Choice = z.output<typeof regenerateApiKeyBody>;
type FormerKey = NonNullable<Awaited<ReturnType<typeof findNewestKey>>>;

/**
 * Replaces the user's active primary key. The old key is revoked immediately or expires after the overlap period.
 * @throws ConsoleError 404 if the user has no active primary key, 403 if the user's role is above the caller's
 */
export async function regenerateUserApiKey(
  keyring: Pick<Keyring, 'hashApiKey'>,
  tx: TenantTransaction,
  author: Principal,
  { userId, choice }: { readonly userId: number; readonly choice: Choice },
): Promise<{ api_key: string }> {
  await lockTarget(tx, author, userId);
  const former = await findNewestKey(tx, author.tenantId, userId);
  if (!former?.isActive) throw notFound('API key');
  return replaceKey(keyring, tx, author, { userId, former, choice });
}

interface Replacement {
  readonly userId: number;
  readonly former: FormerKey;
  readonly choice: Choice;
}

async function replaceKey(
  keyring: Pick<Keyring, 'hashApiKey'>,
  tx: TenantTransaction,
  { tenantId, userId: createdBy }: Principal,
  { userId, former, choice }: Replacement,
): Promise<{ api_key: string }> {
  await endFormerKey(tx, { tenantId, userId }, choice.overlap_seconds);
  const expiresAt = chooseExpiry(choice.expires_at, former);
  const { name: keyName, models, dialects, networks, taskId, labels } = former;
  const limits = { models, dialects, networks, taskId, labels };
  const owner = { tenantId, userId, keyName, scopes: choice.scopes ?? former.scopes, expiresAt, ...limits };
  const { apiKey, id: replacedBy } = await issuePrimaryKey(keyring, tx, owner, createdBy);
  await changeKey(tx, former.id, { replacedBy });
  return { api_key: apiKey };
}

/**
 * Replaces the caller's valid primary key with a new key that has the same scopes and expiry.
 * @throws ConsoleError 403 if the tenant does not allow this, 404 if there is no valid key, 429 after
 * `ownKeysPerDayMax` new keys
 */
export async function regenerateOwnApiKey(
  keyring: Pick<Keyring, 'hashApiKey'>,
  tx: TenantTransaction,
  author: Principal,
  overlapSeconds: number,
): Promise<{ api_key: string }> {
  const { users_regenerate_keys: isAllowed } = await getSettings(tx, author);
  if (!isAllowed) {
    throw new ConsoleError(
      403,
      'Your organization does not let users regenerate their API keys. Ask an administrator to do it.',
    );
  }
  const { tenantId, userId } = author;
  await lockSelf(tx, author);
  await requireFewNewKeys(tx, tenantId, userId);
  const former = await findNewestKey(tx, tenantId, userId);
  if (!former?.isActive || former.isExpired) {
    throw new ConsoleError(404, 'You have no valid API key. Ask an administrator to create one.');
  }
  const choice = { overlap_seconds: overlapSeconds, expires_at: former.expiresAt?.toISOString() ?? null };
  return replaceKey(keyring, tx, author, { userId, former, choice });
}

export const secondMs = 1_000;

const ownKeysPerDayMax = 10;

/**
 * Limits how many primary and named keys a user gets.
 * @throws ConsoleError 429 after `ownKeysPerDayMax` new keys in 24 hours
 */
export async function requireFewNewKeys(
  tx: TenantTransaction,
  tenantId: number,
  userId: number,
): Promise<void> {
  const waitSeconds = await findWaitForNewKey(tx, tenantId, userId, ownKeysPerDayMax);
  if (waitSeconds === null) return;
  throw new ConsoleError(
    429,
    `Limit for new API keys reached: ${ownKeysPerDayMax} of ${ownKeysPerDayMax} in 24 hours. Try again in ${formatWait(waitSeconds)}, or ask an administrator.`,
    waitSeconds,
  );
}

/**
 * Revokes the user's primary keys, or keeps the newest one valid for the overlap period. At most two primary keys can
 * be valid at the same time.
 */
async function endFormerKey(
  tx: TenantTransaction,
  { tenantId, userId }: { tenantId: number; userId: number },
  overlapSeconds: number,
): Promise<void> {
  if (overlapSeconds === 0) return void (await revokeKeys(tx, tenantId, userId, 'all'));
  await revokeKeys(tx, tenantId, userId, 'superseded');
  await supersedeKey(tx, tenantId, userId, new Date(Date.now() + overlapSeconds * secondMs));
}

/** If `expiresAt` is `undefined`, the new key has the same lifetime as the key it replaces. `null` means no expiry. */
export function chooseExpiry(
  expiresAt: Choice['expires_at'],
  former: Pick<FormerKey, 'createdAt' | 'expiresAt'>,
): Date | null {
  if (expiresAt) return new Date(expiresAt);
  if (expiresAt === null || former.expiresAt === null) return null;
  return new Date(Date.now() + former.expiresAt.getTime() - former.createdAt.getTime());
}
