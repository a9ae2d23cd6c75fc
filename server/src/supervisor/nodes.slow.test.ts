import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { databaseUrl, dropDatabase, onCluster } from '#test/database/database-cluster.ts';
import { firstOf, type NodeFleet, startNodeFleet, withdrawals } from '#test/processes/node-fleet.ts';
import { createSluice } from '#test/processes/sluice-process.ts';
import { withdrawStreams } from '#test/providers/withdrawn-streams.ts';

const database = `sluice_nodes_${process.pid}`;
const url = databaseUrl(inject('clusterUrl'), database);

let fleet: NodeFleet;
beforeAll(async () => {
  await onCluster(inject('clusterUrl'), `CREATE DATABASE ${database}`);
  fleet = await startNodeFleet(url);
});
afterAll(async () => {
  await fleet.remove();
  await dropDatabase(inject('clusterUrl'), database);
});

describe('three nodes that start concurrently on an empty database', () => {
  it('three starting nodes run each migration once, and only one does the first setup', async () => {
    const { rows } = await fleet.pool.query<{ name: string }>(
      'SELECT name FROM schema_migrations ORDER BY name',
    );
    const files = readdirSync(join(import.meta.dirname, '../db/migrations'));
    expect(rows.map(({ name }) => name)).toEqual(files.filter((name) => name.endsWith('.sql')).sort());
    expect(fleet.nodes.filter(({ apiKey }) => apiKey !== '')).toHaveLength(1);
    const people = await fleet.pool.query('SELECT email FROM users WHERE email = $1', ['admin@example.com']);
    expect(people.rows).toHaveLength(1);
  });

  it('three nodes write one row for each of their requests', async () => {
    const apiKey = fleet.nodes.map((node) => node.apiKey).join('');
    const ids = await Promise.all(
      fleet.nodes.map(async ({ origin }) => {
        const answer = await fetch(`${origin}/api/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'sandbox-normal', messages: [{ role: 'user', content: 'Hello' }] }),
        });
        expect(answer.status).toBe(200);
        await answer.text();
        return answer.headers.get('x-request-id');
      }),
    );
    const written = async () =>
      (await fleet.pool.query<{ id: string }>('SELECT id FROM request_logs')).rows.map(({ id }) => id).sort();
    await expect.poll(written).toEqual(ids.toSorted());
  });

  it('a node with another secret fails to start with an error that names SLUICE_SECRET', async () => {
    const stranger = await createSluice({
      DATABASE_URL: url,
      SLUICE_SECRET: 'x'.repeat(32),
      LOG_LEVEL: 'silent',
    });
    await expect(stranger.start()).rejects.toThrow(
      /set up with another secret\. Set SLUICE_SECRET to that secret/,
    );
    await stranger.remove();
    const keyless = await createSluice({ DATABASE_URL: url, LOG_LEVEL: 'silent' });
    await expect(keyless.start()).rejects.toThrow(/the database is in use.*set SLUICE_SECRET/);
    await keyless.remove();
  });
});

describe('withdrawals across nodes', () => {
  it('all nodes enforce each withdrawal within 5 seconds, and most withdrawals within 1 second', async () => {
    const latenciesMs: number[] = [];
    for (const kind of withdrawals) latenciesMs.push(await fleet.withdraw(kind));
    console.log(latenciesMs.map(Math.round).join(' '));
    expect(latenciesMs.toSorted((one, other) => one - other)[3]).toBeLessThan(1_000);
    expect(Math.max(...latenciesMs)).toBeLessThan(5_000);
  });

  it('a withdrawal ends the running streams of all nodes, and clients get the reason', async () => {
    for (const { kind, endedAfterMs, faults } of await withdrawStreams(fleet, 9)) {
      expect(faults, kind).toEqual([]);
      expect(endedAfterMs, kind).toBeLessThan(5_000);
    }
  });

  it('nodes enforce a withdrawal within five seconds without notifications', async () => {
    fleet.cutNotifications();
    for (const { kind, endedAfterMs, faults } of await withdrawStreams(fleet, 3)) {
      expect(faults, kind).toEqual([]);
      expect(endedAfterMs, kind).toBeLessThan(5_000);
    }
    for (const kind of withdrawals) {
      const latencyMs = await fleet.withdraw(kind);
      console.log(kind, Math.round(latencyMs));
      expect(latencyMs).toBeLessThan(5_000);
    }
  });
});

it('nodes keep serving when the first one stops', async () => {
  const [going, ...others] = fleet.nodes;
  going?.signal('SIGTERM');
  expect(await firstOf(fleet.nodes).exited).toBe(0);
  for (const { origin } of others) expect((await fetch(`${origin}/readyz`)).status).toBe(200);
});
