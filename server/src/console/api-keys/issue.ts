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
  /** All by default. */
  scopes?: readonly ApiKeyScope[];
  /** None by default. */
  expiresAt?: Date | null;
}

/**
 * Makes a key. The answer is its only appearance: the database gets a hash.
 * @throws ConsoleError 409 when the owner has an active key.
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
