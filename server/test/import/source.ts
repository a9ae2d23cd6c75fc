import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { databaseUrl, dropDatabase, onCluster } from '#test/database/database-cluster.ts';

export interface SourceOfTest {
  readonly url: string;
  query(sql: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Salt key of the fixture that `make-litellm.py` writes. */
export const litellmSaltKey = 'sk-salt-of-the-tests';

export async function createSource(fixture: string): Promise<SourceOfTest> {
  const name = `sluice_test_source_${crypto.randomUUID().replaceAll('-', '')}`;
  const cluster = inject('clusterUrl');
  await onCluster(cluster, `CREATE DATABASE ${name}`);
  const url = databaseUrl(cluster, name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(readFileSync(join(import.meta.dirname, fixture), 'utf8'));
  return {
    url,
    query: (sql) => client.query(sql),
    async close() {
      await client.end();
      await dropDatabase(cluster, name);
    },
  };
}
