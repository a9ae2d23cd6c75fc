import type pg from 'pg';

export interface BackedTable {
  readonly name: string;
  /** Stored columns only. Generated columns are computed again. */
  readonly columns: string[];
}

/** Omits the list of migrations, which a restore creates itself. Each partitioned table is listed once. */
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

export async function listSequences(client: pg.Client): Promise<{ name: string; next: string }[]> {
  const { rows } = await client.query<{ name: string; next: string }>(
    `SELECT sequencename AS name, COALESCE(last_value + increment_by, start_value)::text AS next
     FROM pg_sequences WHERE schemaname = 'public' ORDER BY sequencename`,
  );
  return rows;
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
