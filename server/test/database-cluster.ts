import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '#db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the cluster's maintenance database; tests make their own databases beside it. */
    clusterUrl: string;
    /** The migrated database that fresh ones are copied from. */
    templateDatabase: string;
  }
}

// Two runs may share a cluster, so each has its own template.
const templateDatabase = `sluice_test_template_${process.pid}`;

/** One cluster for all test files; each makes its databases from one migrated template. */
export default async function startCluster(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.SLUICE_TEST_DATABASE_URL;
  if (!given) throw new Error('set SLUICE_TEST_DATABASE_URL');
  await makeTemplate(given);
  project.provide('clusterUrl', given);
  project.provide('templateDatabase', templateDatabase);
  return async () => undefined;
}

async function makeTemplate(clusterUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: clusterUrl });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${templateDatabase} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${templateDatabase}`);
  await client.end();
  await migrate(databaseUrl(clusterUrl, templateDatabase));
}

/** The same cluster, another database. */
export function databaseUrl(clusterUrl: string, database: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${database}`;
  return url.href;
}
