import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { databaseUrl, dropDatabase, onCluster } from './database-cluster.ts';

export interface TestDatabase {
  connectionString: string;
  /** Connection pool of the owner, who bypasses row-level security. */
  pool: pg.Pool;
  close(): Promise<void>;
}

export async function createClusterDatabase(clusterUrl: string, template: string): Promise<TestDatabase> {
  const name = `sluice_test_${randomBytes(6).toString('hex')}`;
  // Copying files avoids the write-ahead log, which the tests never use.
  await onCluster(clusterUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const connectionString = databaseUrl(clusterUrl, name);
  const pool = new pg.Pool({ connectionString, max: 4 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    connectionString,
    pool,
    close: async () => {
      await pool.end();
      await dropDatabase(clusterUrl, name);
    },
  };
}
