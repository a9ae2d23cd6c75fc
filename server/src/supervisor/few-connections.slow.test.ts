import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { readConnectionCapacity } from '#db/read-connection-capacity.ts';
import { findPostgresBinaries, startOutsidePostgres } from '#test/database/outside-postgres.ts';
import { createSluice } from '#test/processes/sluice-process.ts';

const [binDir] = findPostgresBinaries();

it.skipIf(!binDir)(
  `two nodes configured for 8 workers start with 1 worker each on a server with 20 connections${binDir ? '' : ' (skipped: no PostgreSQL is installed)'}`,
  async () => {
    const server = await startOutsidePostgres(binDir!, {
      rules: ['host all sluice 127.0.0.1/32 trust'],
      settings: { max_connections: '20' },
    });
    onTestFinished(() => server.stop());
    await server.run('CREATE ROLE sluice LOGIN CREATEROLE');
    await server.run('CREATE DATABASE sluice OWNER sluice');
    const env = {
      DATABASE_URL: `postgresql://sluice@127.0.0.1:${server.port}/sluice`,
      SLUICE_SECRET: 's'.repeat(32),
      SLUICE_WORKERS: '8',
    };
    const another = new pg.Client({ connectionString: server.adminUrl });
    await another.connect();
    expect(await readConnectionCapacity(env.DATABASE_URL)).toMatchObject({
      allowed: 20,
      reserved: 3,
      used: 1,
    });
    await another.end();
    const first = await createSluice(env);
    onTestFinished(() => first.remove());
    await first.start();
    const second = await createSluice(env);
    onTestFinished(() => second.remove());
    await second.start();
    for (const node of [first, second]) {
      expect(node.pids('workers')).toHaveLength(1);
      expect((await fetch(`${node.origin}/readyz`)).status).toBe(200);
      const answer = await fetch(`${node.origin}/api/v1/models`, {
        headers: { authorization: `Bearer ${first.apiKey}` },
      });
      expect(answer.status).toBe(200);
    }
    const third = await createSluice({ ...env, SLUICE_NODES: '5' });
    onTestFinished(() => third.remove());
    await expect(third.start()).rejects.toThrow(
      /PostgreSQL allows 20 connections, 3 of them reserved; 5 nodes share them, .* Set max_connections of the server to at least/,
    );
  },
);
