import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedServer } from '#db/embedded-server/start-embedded-server.ts';
import { migrate } from '#db/migrate.ts';
import { createLogger } from '#platform/logger.ts';

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

/**
 * One cluster for all test files; each makes its databases from one migrated template. `SLUICE_TEST_DATABASE_URL`
 * names a running one, whose login may make databases and roles.
 */
export default async function startCluster(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startTestCluster();
  project.provide('clusterUrl', cluster.url);
  project.provide('templateDatabase', cluster.template);
  return cluster.stop;
}

export interface TestCluster {
  readonly url: string;
  readonly template: string;
  stop(): Promise<void>;
}

/** The same for what runs outside the tests; by `product` with the server's settings that the product has. */
export async function startTestCluster(server: 'test' | 'product' = 'test'): Promise<TestCluster> {
  const given = process.env.SLUICE_TEST_DATABASE_URL;
  const cluster = given ? { url: given, stop: async () => undefined } : await startEmbeddedCluster(server);
  await makeTemplate(cluster.url);
  return {
    url: cluster.url,
    template: templateDatabase,
    async stop() {
      await onCluster(cluster.url, `DROP DATABASE IF EXISTS ${templateDatabase} WITH (FORCE)`);
      await cluster.stop();
    },
  };
}

// It ends with the run, so nothing has to outlive a crash. A vacuum would hold a database that is to be dropped.
const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', autovacuum: 'off' };

async function startEmbeddedCluster(
  server: 'test' | 'product',
): Promise<{ url: string; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-test-'));
  const embedded = await startEmbeddedServer({
    dataDir,
    maxConnections: 200,
    settings: server === 'test' ? settings : {},
    log: createLogger('warn'),
  });
  const bootstrap = new URL(embedded.connectionString);
  bootstrap.username = 'postgres';
  await onCluster(bootstrap.href, 'ALTER ROLE sluice CREATEDB');
  return {
    url: embedded.connectionString,
    async stop() {
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function makeTemplate(clusterUrl: string): Promise<void> {
  await onCluster(clusterUrl, `DROP DATABASE IF EXISTS ${templateDatabase} WITH (FORCE)`);
  await onCluster(clusterUrl, `CREATE DATABASE ${templateDatabase}`);
  await migrate(databaseUrl(clusterUrl, templateDatabase), createLogger('warn'));
}

/** Runs one statement that cannot be part of a transaction. */
export async function onCluster(clusterUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: clusterUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Deletes a database. A pool has ended before the server hears of it: a connection that the server ends meanwhile would be
 * an error that nobody listens for, so those that are about to end get a second.
 */
export async function dropDatabase(clusterUrl: string, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: clusterUrl });
  await client.connect();
  try {
    const isLeft = async () =>
      (
        await client.query('SELECT FROM pg_stat_activity WHERE datname = $1 AND usename IS NOT NULL', [
          database,
        ])
      ).rowCount === 0;
    for (const deadlineMs = performance.now() + 1_000; performance.now() < deadlineMs && !(await isLeft()); )
      await pause(5);
    await client.query(`DROP DATABASE ${database} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}

/** The same cluster, another database. */
export function databaseUrl(clusterUrl: string, database: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${database}`;
  return url.href;
}
