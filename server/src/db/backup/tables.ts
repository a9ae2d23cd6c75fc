import type pg from 'pg';

export interface BackedTable {
  readonly name: string;
  /** Those that hold what was written; what the database computes it computes again. */
  readonly columns: string[];
}

/** All tables of Sluice, a partitioned one as a whole; not the list of migrations, which a restore makes itself. */
export async function listTables(client: pg.Client): Promise<BackedTable[]> {
  const { rows } = await client.query<BackedTable>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> 'schema_migrations'
     GROUP BY c.relname ORDER BY c.relname`,
  );
  return rows;
}

/** Each identity's next value. */
export async function listSequences(client: pg.Client): Promise<{ name: string; next: string }[]> {
  const { rows } = await client.query<{ name: string; next: string }>(
    `SELECT sequencename AS name, COALESCE(last_value + increment_by, start_value)::text AS next
     FROM pg_sequences WHERE schemaname = 'public' ORDER BY sequencename`,
  );
  return rows;
}

/** The names come from the catalogue of the database, and are quoted all the same. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
