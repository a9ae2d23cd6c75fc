import { type SQL, sql } from 'drizzle-orm';
import type { SystemDatabase } from './system.ts';

const batchRows = 2_000;

interface OldRows {
  readonly table: string;
  /** Primary key whose order starts with the oldest rows; `ctid` for tables with a composite key. */
  readonly key: string;
  readonly keyType: 'uuid' | 'bigint' | 'integer' | 'tid';
  readonly condition: SQL;
}

/**
 * Deletes the matching rows, one transaction per batch, until no rows are left or the signal aborts. Returns the
 * number of deleted rows. Keys are passed as values, so that only partitions with these keys are scanned.
 */
export async function deleteInBatches(
  database: SystemDatabase,
  { table, key, keyType, condition }: OldRows,
  signal: AbortSignal,
): Promise<number> {
  const [tableName, keyName] = [sql.identifier(table), sql.identifier(key)];
  for (let deleted = 0; ; ) {
    if (signal.aborted) return deleted;
    const { rows } = await database.execute<{ key: string }>(
      sql`SELECT ${keyName}::text AS key FROM ${tableName} WHERE ${condition} ORDER BY ${keyName} LIMIT ${batchRows}`,
    );
    if (rows.length > 0) {
      const keys = sql`${`{${rows.map((row) => `"${row.key}"`).join()}}`}::${sql.raw(keyType)}[]`;
      await database.execute(sql`DELETE FROM ${tableName} WHERE ${keyName} = ANY (${keys}) AND ${condition}`);
    }
    deleted += rows.length;
    if (rows.length < batchRows) return deleted;
  }
}
