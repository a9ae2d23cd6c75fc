import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createLogger } from '#platform/logger.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { databaseUrl, dropDatabase, onCluster } from '#test/database/database-cluster.ts';
import { MigrationError, migrate } from './migrate.ts';
import { readMigrations } from './migration-files.ts';
import { apiKeys } from './schema/api-keys.ts';
import { auditEntries } from './schema/audit-entries.ts';
import { budgetNotices, budgets } from './schema/budgets.ts';
import {
  llmProviders,
  priceOverrides,
  providerRegistry,
  userProviderAccess,
} from './schema/llm-providers.ts';
import { managementTokens } from './schema/management-tokens.ts';
import { ledgerEntries } from './schema/payments.ts';
import { banners, idempotencyKeys, installation, platformSettings } from './schema/platform.ts';
import { requestLogBodies, requestLogs } from './schema/request-logs.ts';
import { passkeys, recoveryCodes, signInTickets, totpAuthenticators } from './schema/second-factors.ts';
import { shadowRequests, shadowRuns } from './schema/shadow-runs.ts';
import { deviceCodes, signedInTools } from './schema/signed-in-tools.ts';
import { tenants } from './schema/tenants.ts';
import { loginAttempts, roles, sessions, users } from './schema/users.ts';

const tables: PgTable[] = [
  apiKeys,
  auditEntries,
  banners,
  budgetNotices,
  budgets,
  idempotencyKeys,
  installation,
  ledgerEntries,
  llmProviders,
  loginAttempts,
  deviceCodes,
  managementTokens,
  passkeys,
  platformSettings,
  priceOverrides,
  providerRegistry,
  recoveryCodes,
  requestLogBodies,
  requestLogs,
  roles,
  sessions,
  shadowRequests,
  shadowRuns,
  signInTickets,
  signedInTools,
  tenants,
  totpAuthenticators,
  userProviderAccess,
  users,
];

const log = createLogger('warn');
const tenNodes = `sluice_test_ten_nodes_${process.pid}`;
const sameNames = `sluice_test_same_names_${process.pid}`;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

describe('migrate', () => {
  const earlier = readMigrations()
    .map(({ name }) => name)
    .slice(0, -10);
  it.each([
    ['an empty database', []],
    ['the schema of an earlier version', earlier],
  ])('migrate runs each migration once if ten nodes start simultaneously on %s', async (_name, upTo) => {
    await onCluster(inject('clusterUrl'), `CREATE DATABASE ${tenNodes}`);
    const url = databaseUrl(inject('clusterUrl'), tenNodes);
    try {
      if (upTo.length > 0) await migrate(url, log, { upTo });
      await Promise.all(Array.from({ length: 10 }, () => migrate(url, log)));
      const fresh = new pg.Client({ connectionString: url });
      await fresh.connect();
      const { rows } = await fresh.query(
        'SELECT name, count(*)::int AS runs FROM schema_migrations GROUP BY name ORDER BY name',
      );
      await fresh.end();
      expect(rows.map((row) => row.runs)).toEqual(rows.map(() => 1));
      expect(rows.map(({ name }) => name)).toEqual(readMigrations().map(({ name }) => name));
    } finally {
      await dropDatabase(inject('clusterUrl'), tenNodes);
    }
  });

  it('migrate renames teams whose names are no longer unique, even if the new name is also in use', async () => {
    await onCluster(inject('clusterUrl'), `CREATE DATABASE ${sameNames}`);
    const url = databaseUrl(inject('clusterUrl'), sameNames);
    const client = new pg.Client({ connectionString: url });
    try {
      await migrate(url, log, {
        upTo: readMigrations()
          .map(({ name }) => name)
          .filter((name) => name < '0120'),
      });
      await client.connect();
      await client.query(
        "INSERT INTO tenants (id, name, slug) OVERRIDING SYSTEM VALUE VALUES (1, 'One', 'one')",
      );
      const long = 'x'.repeat(80);
      const names = ['Café', 'Cafe\u0301 (3)', 'Cafe\u0301', `${long} (6)`, `${long}`, `${long}\u200b`];
      for (const [index, name] of names.entries())
        await client.query(
          'INSERT INTO teams (id, tenant_id, name) OVERRIDING SYSTEM VALUE VALUES ($1, 1, $2)',
          [index + 1, name],
        );
      await migrate(url, log);
      const { rows } = await client.query('SELECT name FROM teams ORDER BY id');
      expect(rows.map(({ name }) => name)).toEqual([
        ...names.slice(0, 2),
        'Cafe\u0301 (3) (3-2)',
        ...names.slice(3, 5),
        `${long} (6-2)`,
      ]);
    } finally {
      await client.end();
      await dropDatabase(inject('clusterUrl'), sameNames);
    }
  });

  it('migrate rejects a database that a newer version has migrated', async () => {
    await database.pool.query(
      "INSERT INTO schema_migrations (name, checksum) VALUES ('9999-from-the-future.sql', 'x')",
    );
    await expect(migrate(database.connectionString, log)).rejects.toThrow(MigrationError);
    await database.pool.query("DELETE FROM schema_migrations WHERE name LIKE '9999%'");
  });

  it('migrate rejects a migration that was edited after it ran', async () => {
    await database.pool.query("UPDATE schema_migrations SET checksum = 'edited' WHERE name LIKE '0001%'");
    await expect(migrate(database.connectionString, log)).rejects.toThrow(/differs/);
  });
});

describe('Drizzle schema', () => {
  it.each(tables.map((table) => [getTableConfig(table).name, table] as const))(
    'the Drizzle schema matches the table %s',
    async (name, table) => {
      const { rows } = await database.pool.query<{ column_name: string; is_nullable: string }>(
        "SELECT column_name, is_nullable FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1",
        [name],
      );
      const inDatabase = Object.fromEntries(rows.map((row) => [row.column_name, row.is_nullable === 'NO']));
      const inCode = Object.fromEntries(
        getTableConfig(table).columns.map((column) => [column.name, column.notNull]),
      );
      expect(inCode).toEqual(inDatabase);
    },
  );
});
