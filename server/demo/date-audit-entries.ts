import type pg from 'pg';

/**
 * Dates the audit entries of the generated rows like the rows themselves: blocks to the time of the block, everything
 * else to the creation of the row. The first start's own key keeps its time.
 */
export async function dateAuditEntries(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<AuditedTable>(auditedTables);
  await client.query('BEGIN');
  await client.query('ALTER TABLE audit_entries DISABLE TRIGGER USER');
  for (const table of rows) await client.query(dateLike(table), [table.type]);
  await client.query(dateBlocks);
  for (const statement of sortByTime) await client.query(statement);
  await client.query('ALTER TABLE audit_entries ENABLE TRIGGER USER');
  await client.query('COMMIT');
}

interface AuditedTable {
  readonly name: string;
  readonly type: string;
  readonly time: string;
}

export const auditedTables = `SELECT DISTINCT relname AS name, rtrim(encode(tgargs, 'escape'), '\\000') AS type, attname AS time
  FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
    JOIN pg_attribute ON attrelid = tgrelid AND attname IN ('created_at', 'joined_at', 'assigned_at', 'started_at')
  WHERE proname = 'record_change' ORDER BY 1`;

const dateLike = ({
  name,
  time,
}: AuditedTable) => `UPDATE audit_entries entry SET created_at = changed.${time}
  FROM ${name} changed WHERE entry.object_type = $1 AND entry.object_id = changed.id::text`;

/** Ids follow the times, because the log is listed by id. */
const sortByTime = [
  'CREATE TEMP TABLE demo_audit AS SELECT * FROM audit_entries',
  'DELETE FROM audit_entries',
  `UPDATE demo_audit SET id = sorted.place
   FROM (SELECT id, row_number() OVER (ORDER BY created_at, id) AS place FROM demo_audit) sorted WHERE sorted.id = demo_audit.id`,
  'INSERT INTO audit_entries OVERRIDING SYSTEM VALUE SELECT * FROM demo_audit ORDER BY id',
  'DROP TABLE demo_audit',
];

const dateBlocks = `UPDATE audit_entries entry SET created_at = blocked_at
  FROM users WHERE object_type = 'user' AND object_id = users.id::text AND blocked_at IS NOT NULL AND after ? 'is_blocked' AND before IS NOT NULL`;
