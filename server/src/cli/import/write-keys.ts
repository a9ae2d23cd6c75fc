import { apiKeyScopes } from '@sluice/contract';
import { insertKey } from '#console/api-keys/store.ts';
import { selectKeysByHash } from './store.ts';
import type { Owners } from './write-owners.ts';
import type { Writing } from './writing.ts';

/** Stores new keys and returns the ids of all keys. A revoked key remains revoked. */
export async function writeKeys(
  { author, counts, inventory, keyring, tx }: Writing,
  { users }: Owners,
): Promise<Map<string, number>> {
  const { tenantId, userId: createdBy } = author;
  const { findings, keys, origin } = inventory;
  const hashed = keys.map((key) => ({ key, keyHash: keyring.hashForeignApiKey(key.sha256) }));
  const present = await selectKeysByHash(
    tx,
    tenantId,
    hashed.map(({ keyHash }) => keyHash),
  );
  const written = new Map<string, number>();
  for (const { key, keyHash } of hashed) {
    const known = present.get(keyHash.toString('base64'));
    if (known !== undefined) {
      written.set(key.ref, known);
      counts['API keys'].existing++;
      continue;
    }
    const userId = users.get(key.ownerRef);
    if (userId === undefined) {
      findings.leaveOut('API keys', key.name, 'the owner of this key was not imported');
      continue;
    }
    const { expiresAt, labels, last4, name } = key;
    const limits = { models: key.models && [...key.models], networks: key.networks && [...key.networks] };
    const owned = { tenantId, userId, createdBy, kind: 'named', origin, scopes: apiKeyScopes } as const;
    const id = await insertKey(tx, { ...owned, ...limits, name, last4, keyHash, expiresAt, labels });
    if (id === null) {
      findings.leaveOut('API keys', name, 'another organization of this installation has this key');
      continue;
    }
    written.set(key.ref, id);
    counts['API keys'].created++;
  }
  return written;
}
