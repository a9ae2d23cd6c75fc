import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { createLogger } from '#platform/logger.ts';
import { databaseUrl, dropDatabase, onCluster } from '#test/database/database-cluster.ts';
import { migrate } from './migrate.ts';
import { readMigrations } from './migration-files.ts';

const log = createLogger('silent');
const migrations = readMigrations();
const released = readFileSync(join(import.meta.dirname, 'migrations/checksums'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [checksum = '', name = ''] = line.split(/\s+/);
    return { name, checksum };
  });

it('released migrations are not changed, renamed or deleted', () => {
  const present = migrations.map(({ name, checksum }) => ({ name, checksum }));
  expect(present).toEqual(expect.arrayContaining(released));
});

it('a new migration comes after all released ones', () => {
  const last =
    released
      .map(({ name }) => name)
      .sort()
      .at(-1) ?? '';
  const names = new Set(released.map(({ name }) => name));
  for (const { name } of migrations) if (!names.has(name)) expect(name > last).toBe(true);
});

it('migrate applies the newest migration once if five nodes start while a node of the previous version writes', {
  timeout: 120_000,
}, async () => {
  const name = `sluice_test_upgrade_${randomBytes(6).toString('hex')}`;
  await onCluster(inject('clusterUrl'), `CREATE DATABASE ${name}`);
  const url = databaseUrl(inject('clusterUrl'), name);
  const before = migrations.slice(0, -1).map((migration) => migration.name);
  await migrate(url, log, { upTo: before });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Nodes of the previous version keep writing with their own schema.
  const write = () => client.query("INSERT INTO tenants (name, slug) VALUES ('a', gen_random_uuid()::text)");
  await write();
  await Promise.all([...Array.from({ length: 5 }, () => migrate(url, log)), write()]);
  await write();
  const { rows } = await client.query('SELECT name FROM schema_migrations ORDER BY name');
  expect(rows).toEqual(migrations.map((migration) => ({ name: migration.name })));
  await client.end();
  await dropDatabase(inject('clusterUrl'), name);
});
