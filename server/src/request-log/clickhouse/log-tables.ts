/** Location of the rows in ClickHouse: one table of one server, or a table on each shard behind a distributed one. */
export interface LogTables {
  readonly database: string;
  /** Name of the cluster in the servers' configuration; `null` for a single server. */
  readonly cluster: string | null;
  /** Table that stores rows: on a cluster, a replicated one per shard. `request_logs` reads and inserts through it. */
  readonly stored: 'request_logs' | 'request_logs_local';
  /** Clause of statements that change tables or rows. */
  readonly onCluster: string;
}

/** Splits a URL of `SLUICE_LOG_STORE` into the server's URL and the tables. */
export function splitLogStoreUrl(url: string): { readonly server: string; readonly tables: LogTables } {
  const server = new URL(url);
  const cluster = server.searchParams.get('cluster');
  server.search = '';
  return {
    server: server.href,
    tables: {
      database: server.pathname.slice(1),
      cluster,
      stored: cluster === null ? 'request_logs' : 'request_logs_local',
      onCluster: cluster === null ? '' : ` ON CLUSTER ${quote(cluster)}`,
    },
  };
}

/**
 * Returns a table with the rows of every replica, for lookups that must also find rows that some replicas lack. Reads
 * fail while a replica is unavailable, unless they skip it.
 */
export const onAllReplicas = ({ cluster, database, stored }: LogTables): string =>
  cluster === null ? 'request_logs' : `clusterAllReplicas(${quote(cluster)}, ${database}, ${stored})`;

/** Returns a text as a literal in ClickHouse's SQL. */
export const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
