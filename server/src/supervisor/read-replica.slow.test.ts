import {
  authRoutes,
  createClient,
  dataAsOfHeader,
  logsOf,
  logsRoutes,
  positionHeader,
  systemRoutes,
  usersRoutes,
} from '@sluice/contract';
import { expect, it, onTestFinished } from 'vitest';
import { findPostgresBinaries, startOutsidePostgres, startStandby } from '#test/database/outside-postgres.ts';
import { createSluice } from '#test/processes/sluice-process.ts';

const [binDir] = findPostgresBinaries();
const metricsToken = 'metrics-token-0123456789';

it.skipIf(!binDir)(
  `lists of two workers are read from a standby and include the caller's own changes${binDir ? '' : ' (skipped: no PostgreSQL is installed)'}`,
  async () => {
    const primary = await startOutsidePostgres(binDir!, {
      rules: ['host replication admin 127.0.0.1/32 trust'],
    });
    onTestFinished(() => primary.stop());
    await primary.run('CREATE DATABASE sluice');
    const standby = await startStandby(binDir!, primary);
    let isStandbyRunning = true;
    onTestFinished(() => (isStandbyRunning ? standby.stop() : undefined));
    const sluice = await createSluice({
      DATABASE_URL: `postgresql://admin@127.0.0.1:${primary.port}/sluice`,
      DATABASE_READ_URL: `postgresql://admin@127.0.0.1:${standby.port}/sluice`,
      SLUICE_SECRET: 's'.repeat(32),
      SLUICE_METRICS_TOKEN: metricsToken,
      SLUICE_WORKERS: '2',
    });
    onTestFinished(() => sluice.remove());
    await sluice.start();
    const { listLogs, readMetric, readReplica, rename } = await signIn(sluice);
    await expect.poll(() => readMetric('sluice_replica_workers{state="in_use"}')).toBe(2);

    await complete(sluice);
    await expect.poll(async () => (await listLogs()).names.length).toBe(1);
    await standby.run('SELECT pg_wal_replay_pause()');
    const [row] = (await listLogs()).rows;
    const position = await rename(row?.user_id ?? 0, 'Renamed');
    expect(position).toMatch(/^[\da-f]{16}$/);
    // Each call uses a new connection, so both workers serve some of the calls.
    for (let count = 0; count < 8; count++) {
      expect((await listLogs()).names).toEqual([row?.user_name]);
      expect((await listLogs(position)).names).toEqual(['Renamed']);
    }
    expect(await readMetric('sluice_replica_reads_total{outcome="not_replayed"}')).toBe(8);

    await complete(sluice);
    await expect.poll(async () => (await listLogs()).asOf, { timeout: 30_000 }).toMatch(/^20.*Z$/);
    expect(await readMetric('sluice_replica_lag_seconds')).toBeGreaterThan(5);
    await expect
      .poll(readReplica, { timeout: 30_000 })
      .toMatchObject({ state: 'in_use', lag_seconds: expect.any(Number) });

    isStandbyRunning = false;
    await standby.stop();
    const { names, asOf } = await listLogs();
    expect([names, asOf]).toEqual([['Renamed', 'Renamed'], null]);
    await expect.poll(readReplica, { timeout: 30_000 }).toMatchObject({
      state: 'away',
      problem: expect.stringContaining('was refused'),
    });
  },
);

interface Target {
  readonly origin: string;
  readonly apiKey: string;
  readonly admin: { readonly email: string; readonly password: string };
}

async function complete({ origin, apiKey }: Target): Promise<void> {
  const response = await fetch(`${origin}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-echo', messages: [{ role: 'user', content: 'Write a test' }] }),
  });
  expect(response.status).toBe(200);
}

async function signIn({ origin, admin }: Target) {
  let position: string | null = null;
  let answered = new Headers();
  const headers = (): Record<string, string> => ({
    authorization: `Bearer ${token}`,
    connection: 'close',
    ...(position === null ? {} : { [positionHeader]: position }),
  });
  const options = {
    baseUrl: origin,
    headers,
    onHeaders: (given: Headers) => {
      answered = given;
    },
  };
  let token = '';
  const form = { username: admin.email, password: admin.password };
  ({ access_token: token } = await createClient(authRoutes, options).login({ form }));
  const logs = createClient(logsRoutes, options);
  const users = createClient(usersRoutes, options);
  const system = createClient(systemRoutes, options);
  return {
    async rename(id: number, name: string): Promise<string | null> {
      await users.updateUser({ params: { id }, body: { name } });
      return answered.get(positionHeader);
    },
    async listLogs(after: string | null = null) {
      position = after;
      const rows = logsOf(await logs.listLogs({ query: {} }));
      return { names: rows.map(({ user_name: name }) => name), rows, asOf: answered.get(dataAsOfHeader) };
    },
    readReplica: async () => (await system.getStatus()).operation?.nodes[0]?.replica,
    async readMetric(name: string): Promise<number> {
      const response = await fetch(`${origin}/metrics`, {
        headers: { authorization: `Bearer ${metricsToken}` },
      });
      const line = (await response.text()).split('\n').find((text) => text.startsWith(`${name} `));
      return Number(line?.split(' ').at(-1));
    },
  };
}
