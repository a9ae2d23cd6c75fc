import { randomBytes } from 'node:crypto';
import { type ApiKeyScope, apiKeyScopes } from '@sluice/contract';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { formatApiKey } from '#domain/api-key.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { Keyring } from '#platform/keyring.ts';
import { insertKey } from './store.ts';

export interface KeyOwner {
  tenantId: number;
  userId: number;
  name: string;
  /** Defaults to all scopes. */
  scopes?: readonly ApiKeyScope[];
  /** Defaults to no expiry. */
  expiresAt?: Date | null;
}

/**
 * Creates a key and returns its only plaintext copy: the database stores a hash.
 * @throws ConsoleError 409 if the owner already has an active key.
 */
export async function issueApiKey(
  keyring: Pick<Keyring, 'hashApiKey'>,
  tx: NodePgDatabase,
  owner: KeyOwner,
  createdBy: number | null,
): Promise<string> {
  const apiKey = formatApiKey(randomBytes(64));
  const isStored = await insertKey(tx, {
    tenantId: owner.tenantId,
    userId: owner.userId,
    name: `${owner.name}'s key`,
    keyHash: keyring.hashApiKey(apiKey),
    last4: apiKey.slice(-4),
    scopes: owner.scopes ?? apiKeyScopes,
    expiresAt: owner.expiresAt ?? null,
    createdBy,
  });
  if (!isStored) throw new ConsoleError(409, 'This user already has an active API key');
  return apiKey;
}
