import { readFileSync } from 'node:fs';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { migrate } from '#db/migrate.ts';
import { readMigrations } from '#db/migration-files.ts';
import { createMailbox } from '#mail/mailbox.ts';
import { createLogger } from '#platform/logger.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { testKeyring } from '#test/console/console-server.ts';
import { databaseUrl, dropDatabase, onCluster } from '#test/database/database-cluster.ts';
import { createClockJobs } from './clock-jobs.ts';
import { createNotifyExpiringKeys } from './notify-expiring-keys.ts';
import { createNotifyLowCredits } from './notify-low-credits.ts';
import { createNotifySubscriptions } from './notify-subscriptions.ts';

const mail = {
  mailbox: createMailbox({ keyring: testKeyring, hasServer: true }),
  publicUrl: 'https://sluice.test',
};
const jobs = [
  ...createClockJobs(postgresRequestLog),
  createNotifyExpiringKeys(mail),
  createNotifyLowCredits(mail),
  createNotifySubscriptions(mail),
].map(({ name }) => name);

it('a renamed job keeps its schedule and the result of its last run', async () => {
  const file = new URL('../db/migrations/0121-job-names.sql', import.meta.url);
  const renamed = [...readFileSync(file, 'utf8').matchAll(/\('(?<from>[a-z-]+)', '(?<to>[a-z-]+)'\)/g)].map(
    ({ groups }) => ({ from: groups?.from ?? '', to: groups?.to ?? '' }),
  );
  expect(jobs).toEqual(expect.arrayContaining(renamed.map(({ to }) => to)));
  const name = `sluice_test_job_names_${process.pid}`;
  await onCluster(inject('clusterUrl'), `CREATE DATABASE ${name}`);
  const url = databaseUrl(inject('clusterUrl'), name);
  const client = new pg.Client({ connectionString: url });
  try {
    const before = readMigrations().map((migration) => migration.name);
    await migrate(url, createLogger('silent'), { upTo: before.filter((migration) => migration < '0121') });
    await client.connect();
    for (const [place, { from }] of renamed.entries()) {
      await client.query(
        "INSERT INTO job_schedules (name, next_at, interval_seconds) VALUES ($1, '2026-01-01', $2)",
        [from, place],
      );
      await client.query(
        "INSERT INTO job_runs (name, started_at, duration_ms, failures) VALUES ($1, '2026-01-01', 1, $2)",
        [from, place],
      );
    }
    await migrate(url, createLogger('silent'));
    const { rows } = await client.query(
      'SELECT name, interval_seconds, failures::int FROM job_schedules JOIN job_runs USING (name) ORDER BY failures',
    );
    expect(rows).toEqual(
      renamed.map(({ to }, place) => ({ name: to, interval_seconds: place, failures: place })),
    );
  } finally {
    await client.end();
    await dropDatabase(inject('clusterUrl'), name);
  }
});
