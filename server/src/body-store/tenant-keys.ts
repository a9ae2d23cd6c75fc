import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { SystemDatabase } from '#db/system.ts';
import { findInstalledSecret } from '#master-key/store.ts';
import { createKeyring } from '#platform/keyring.ts';
import { bodyKeyPlace, openSecret, type SealingKey, sealSecret } from '#platform/seal-secret.ts';

export interface Secrets {
  readonly secret: string;
  readonly formerSecrets: readonly string[];
}

const keyBytes = 32;

/**
 * Returns the keys of these tenants' texts. Creates missing keys. The keys are read each time, since a key that is
 * missing in a restored database must not be used.
 */
export async function ensureTenantKeys(
  database: SystemDatabase,
  secrets: Secrets,
  tenantIds: readonly number[],
): Promise<ReadonlyMap<number, Buffer>> {
  const { sealingKey } = createKeyring(secrets.secret, { formerSecrets: secrets.formerSecrets });
  const found = await selectKeys(database, tenantIds);
  const missing = tenantIds.filter((tenantId) => !found.has(tenantId));
  for (const tenantId of missing) await createKey(database, secrets, tenantId);
  const sealed = missing.length === 0 ? found : await selectKeys(database, tenantIds);
  return new Map([...sealed].map(([tenantId, key]) => [tenantId, openTenantKey(sealingKey, tenantId, key)]));
}

export function openTenantKey(sealingKey: SealingKey, tenantId: number, sealed: Uint8Array): Buffer {
  return Buffer.from(openSecret(sealingKey, bodyKeyPlace(tenantId), sealed), 'base64');
}

async function selectKeys(database: SystemDatabase, tenantIds: readonly number[]) {
  const { rows } = await database.execute<{ tenantId: number; key: Buffer }>(
    sql`SELECT tenant_id AS "tenantId", sealed_key AS key FROM body_keys
      WHERE tenant_id = ANY (${`{${tenantIds.join()}}`}::integer[])`,
  );
  return new Map(rows.map(({ tenantId, key }) => [tenantId, key]));
}

/**
 * Creates a tenant's key. Locks the installed secret until the transaction ends, so that a rotation re-encrypts the
 * new key as well.
 */
async function createKey(
  database: SystemDatabase,
  { secret, formerSecrets }: Secrets,
  tenantId: number,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(sql`SELECT FROM installation FOR SHARE`);
    const installed = await findInstalledSecret(tx);
    const { sealingKey } = createKeyring(secret, { formerSecrets, ...(installed && { installed }) });
    const sealed = sealSecret(sealingKey, bodyKeyPlace(tenantId), randomBytes(keyBytes).toString('base64'));
    await tx.execute(
      sql`INSERT INTO body_keys (tenant_id, sealed_key) VALUES (${tenantId}, ${sealed}) ON CONFLICT DO NOTHING`,
    );
  });
}
