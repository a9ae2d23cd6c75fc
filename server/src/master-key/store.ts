import { sql } from 'drizzle-orm';
import { installation } from '#db/schema/platform.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { InstalledSecret, Keyring } from '#platform/keyring.ts';

/** Returns the installed secret; `undefined` before the first start. */
export async function findInstalledSecret(database: SystemDatabase): Promise<InstalledSecret | undefined> {
  const { secretCheck, sealedHashKeys } = installation;
  const [row] = await database.select({ secretCheck, sealedHashKeys }).from(installation);
  return row;
}

/** Replaces the installed secret. The hash keys remain the same, encrypted with the new secret. */
export async function changeInstalledSecret(
  tx: SystemDatabase,
  { secretCheck, sealedHashKeys }: InstalledSecret,
): Promise<void> {
  await tx.update(installation).set({ secretCheck, sealedHashKeys });
}

/** Seconds without a report after which a worker is no longer counted. */
const silentSeconds = 30;

/** Records the secrets of a worker. Deletes workers that have not reported for an hour. */
export async function noteHolder(database: SystemDatabase, id: string, keyring: Keyring): Promise<void> {
  const checks = keyring.secretChecks.map((check) => sql`${check}`);
  await database.execute(sql`
    WITH gone AS (DELETE FROM secret_holders WHERE seen_at < now() - interval '1 hour')
    INSERT INTO secret_holders (id, secret_checks, writes_with)
    VALUES (${id}, ARRAY[${sql.join(checks, sql`, `)}]::bytea[], ${keyring.secretCheck})
    ON CONFLICT (id) DO UPDATE SET writes_with = excluded.writes_with, seen_at = now()`);
}

/** Counts all workers, workers that lack the secret, and workers that do not write with it yet. */
export async function countHolders(database: SystemDatabase, secretCheck: Buffer) {
  const { rows } = await database.execute<{ all: number; lacking: number; waiting: number }>(sql`
    SELECT count(*)::integer AS all, (count(*) FILTER (WHERE NOT ${secretCheck} = ANY (secret_checks)))::integer AS lacking,
      (count(*) FILTER (WHERE writes_with <> ${secretCheck}))::integer AS waiting
    FROM secret_holders WHERE seen_at > now() - make_interval(secs => ${silentSeconds})`);
  return rows[0] ?? { all: 0, lacking: 0, waiting: 0 };
}
