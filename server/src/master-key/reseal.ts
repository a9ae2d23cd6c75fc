import { sql } from 'drizzle-orm';
import type { SystemDatabase } from '#db/system.ts';
import {
  bodyKeyPlace,
  clientSecretPlace,
  formerProviderKeyPlace,
  mailLinkPlace,
  openSecret,
  providerKeyPlace,
  SealBrokenError,
  type SealingKey,
  type SecretPlace,
  sealSecret,
  totpSecretPlace,
} from '#platform/seal-secret.ts';

interface SealedColumn {
  readonly table: string;
  readonly column: string;
  placeOf(tenantId: number, rowId: number): SecretPlace;
}

/**
 * Columns with secrets that are stored for longer than a day. Responses of idempotency keys expire before a previous
 * master key may be removed. A session without its ID token only requires a confirmation to sign out at the provider.
 */
const sealedColumns: readonly SealedColumn[] = [
  { table: 'llm_providers', column: 'sealed_api_key', placeOf: providerKeyPlace },
  { table: 'llm_providers', column: 'sealed_former_api_key', placeOf: formerProviderKeyPlace },
  { table: 'mails', column: 'sealed_link', placeOf: mailLinkPlace },
  { table: 'identity_providers', column: 'sealed_client_secret', placeOf: clientSecretPlace },
  { table: 'totp_authenticators', column: 'sealed_secret', placeOf: totpSecretPlace },
  { table: 'body_keys', column: 'sealed_key', placeOf: bodyKeyPlace },
];

export interface Resealed {
  readonly changed: number;
  /** Values that none of the master keys can decrypt, as `table.column of row`. */
  readonly broken: readonly string[];
}

/**
 * Re-encrypts all values that use previous keys with the current key. Commits row by row, so that a killed run can be
 * continued.
 */
export async function resealAll(database: SystemDatabase, sealingKey: SealingKey): Promise<Resealed> {
  let changed = 0;
  const broken: string[] = [];
  for (const sealed of sealedColumns) {
    for (const { id, tenantId, bytes } of await selectSealed(database, sealed)) {
      const place = sealed.placeOf(tenantId, id);
      const fresh = sealAnew(sealingKey, place, bytes);
      if (fresh === 'broken') broken.push(`${sealed.table}.${sealed.column} of ${id}`);
      else if (fresh && (await replace(database, sealed, id, { bytes, fresh }))) changed += 1;
    }
  }
  return { changed, broken };
}

/** Returns `null` if the value already uses the current key. */
function sealAnew(sealingKey: SealingKey, place: SecretPlace, bytes: Buffer): Buffer | null | 'broken' {
  const { current } = sealingKey;
  if (open({ current, all: [current] }, place, bytes) !== null) return null;
  const secret = open(sealingKey, place, bytes);
  return secret === null ? 'broken' : sealSecret(sealingKey, place, secret);
}

function open(sealingKey: SealingKey, place: SecretPlace, bytes: Buffer): string | null {
  try {
    return openSecret(sealingKey, place, bytes);
  } catch (error) {
    if (error instanceof SealBrokenError) return null;
    throw error;
  }
}

async function selectSealed(database: SystemDatabase, { table, column }: SealedColumn) {
  const [name, bytes] = [sql.identifier(table), sql.identifier(column)];
  const { rows } = await database.execute<{ id: number; tenantId: number; bytes: Buffer }>(
    sql`SELECT id, tenant_id AS "tenantId", ${bytes} AS bytes FROM ${name} WHERE ${bytes} IS NOT NULL ORDER BY id`,
  );
  return rows;
}

/** Updates a row unless its secret has changed in the meantime. */
async function replace(
  database: SystemDatabase,
  { table, column }: SealedColumn,
  id: number,
  { bytes, fresh }: { bytes: Buffer; fresh: Buffer },
): Promise<boolean> {
  const [name, sealed] = [sql.identifier(table), sql.identifier(column)];
  const { rowCount } = await database.execute(
    sql`UPDATE ${name} SET ${sealed} = ${fresh} WHERE id = ${id} AND ${sealed} = ${bytes}`,
  );
  return rowCount === 1;
}
