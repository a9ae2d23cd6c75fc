import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedServer } from '#db/embedded-server/start-embedded-server.ts';
import { migrate } from '#db/migrate.ts';
import { createLogger } from '#platform/logger.ts';
import { preparedVariable } from '../processes/sluice-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the maintenance database. Tests create their own databases in the same cluster. */
    clusterUrl: string;
    templateDatabase: string;
  }
}

// Concurrent runs may share a cluster, so each run has its own template.
const templateDatabase = `sluice_test_template_${process.pid}`;

/**
 * Starts one cluster for all test files. `SLUICE_TEST_DATABASE_URL` names a running cluster instead, whose login may
 * create databases and roles.
 */
export default async function startCluster(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startTestCluster();
  project.provide('clusterUrl', cluster.url);
  project.provide('templateDatabase', cluster.template);
  const prepared = await mkdtemp(join(tmpdir(), 'sluice-prepared-'));
  process.env[preparedVariable] = prepared;
  return async () => {
    await cluster.stop();
    await rm(prepared, { recursive: true, force: true });
  };
}

export interface TestCluster {
  readonly url: string;
  readonly template: string;
  stop(): Promise<void>;
}

/** `product` uses the server settings of the product. */
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

// The cluster is deleted after the run and needs no durability, replicas or I/O workers. A vacuum would block
// dropping a database.
export const testServerSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  io_method: 'sync',
  autovacuum: 'off',
};

async function startEmbeddedCluster(
  server: 'test' | 'product',
): Promise<{ url: string; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-test-'));
  const embedded = await startEmbeddedServer({
    dataDir,
    maxConnections: 200,
    settings: server === 'test' ? testServerSettings : {},
    log: createLogger('warn'),
  });
  const bootstrap = new URL(embedded.connectionString);
  bootstrap.username = 'postgres';
  await onCluster(bootstrap.href, 'ALTER ROLE sluice CREATEDB');
  await onCluster(bootstrap.href, 'GRANT SET ON PARAMETER session_replication_role TO sluice');
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

/** Runs one statement that must not be in a transaction. */
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
 * Drops a database. The server may still be closing connections of a closed pool, and terminating them would cause
 * unhandled errors, so the connections get one second to close.
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

export function databaseUrl(clusterUrl: string, database: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${database}`;
  return url.href;
}
