import { sql } from 'drizzle-orm';
import type { SystemDatabase } from '../system.ts';

const keptMax = 100;

export async function recordBackup(
  database: SystemDatabase,
  { bytes, rows }: { readonly bytes: number; readonly rows: number },
): Promise<void> {
  await database.execute(sql`INSERT INTO backups (bytes, rows) VALUES (${bytes}, ${rows})`);
  await database.execute(
    sql`DELETE FROM backups WHERE id <= (SELECT id FROM backups ORDER BY id DESC OFFSET ${keptMax} LIMIT 1)`,
  );
}

export async function findLastBackup(database: SystemDatabase): Promise<Date | null> {
  const { rows } = await database.execute<{ finishedAt: string | Date | null }>(
    sql`SELECT max(finished_at) AS "finishedAt" FROM backups`,
  );
  const finishedAt = rows[0]?.finishedAt ?? null;
  return finishedAt === null ? null : new Date(finishedAt);
}
