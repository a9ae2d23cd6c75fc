import { createClient } from './client.ts';

/** Part of `ConnectionCapacity` reported by the server, and the names of nodes that reported recently. */
export interface ServerConnections {
  readonly allowed: number;
  readonly reserved: number;
  readonly used: number;
  readonly nodeNames: readonly string[];
}

/**
 * Reads the number of connections that the server allows this login in this database, and the number used by others.
 */
export async function readConnectionCapacity(connectionString: string): Promise<ServerConnections> {
  const client = createClient({
    connectionString,
    application_name: 'sluice-start',
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Omit<ServerConnections, 'nodeNames'> & { has_reports: boolean }>(
      readCapacity,
    );
    const [capacity = { allowed: 0, reserved: 0, used: 0, has_reports: false }] = rows;
    const reports = capacity.has_reports
      ? await client.query<{ name: string }>(
          "SELECT name FROM node_reports WHERE seen_at > now() - interval '1 minute'",
        )
      : { rows: [] };
    const { allowed, reserved, used } = capacity;
    return { allowed, reserved, used, nodeNames: reports.rows.map(({ name }) => name) };
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * `reserved_connections` was added in PostgreSQL 16. A connection limit of -1 means no limit. A role can see the
 * database and user of other roles' sessions, but not their `backend_type`. Background processes have neither.
 */
const readCapacity = `
  SELECT least(current_setting('max_connections')::integer,
      CASE WHEN r.rolconnlimit >= 0 THEN r.rolconnlimit END,
      CASE WHEN d.datconnlimit >= 0 THEN d.datconnlimit END) AS allowed,
    current_setting('superuser_reserved_connections')::integer
      + coalesce(current_setting('reserved_connections', true)::integer, 0) AS reserved,
    (SELECT count(*)::integer FROM pg_stat_activity
      WHERE datid IS NOT NULL AND usesysid IS NOT NULL AND coalesce(backend_type, 'client backend') = 'client backend'
        AND pid <> pg_backend_pid()) AS used,
    to_regclass('node_reports') IS NOT NULL AS has_reports
  FROM pg_roles r, pg_database d WHERE r.rolname = current_user AND d.datname = current_database()`;
