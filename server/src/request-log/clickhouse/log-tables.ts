/** Rows are in one table on a single server, or in one table per shard behind a distributed table. */
export interface LogTables {
  readonly database: string;
  /** Name of the cluster in the server configuration; `null` for a single server. */
  readonly cluster: string | null;
  /**
   * Table that stores the rows. In a cluster, each shard has a replicated table, and `request_logs` reads from and
   * inserts into it.
   */
  readonly stored: 'request_logs' | 'request_logs_local';
  readonly onCluster: string;
}

/** Splits a `SLUICE_LOG_STORE` URL into the server URL and the tables. */
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
 * Returns a table expression for the rows of every replica, for lookups that must also find rows missing on some
 * replicas. Reads fail while a replica is unavailable, unless they skip unavailable replicas.
 */
export const onAllReplicas = ({ cluster, database, stored }: LogTables): string =>
  cluster === null ? 'request_logs' : `clusterAllReplicas(${quote(cluster)}, ${database}, ${stored})`;

export const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** Indexes that inserts do not build, as a comma-separated list. Merges or `indexDays` build them. */
export const notOnInsert = 'model,cost,id_end,search_text';
/** Index of the texts. Written once per day instead of with each insert and merge. */
export const textIndex = 'search_text';
