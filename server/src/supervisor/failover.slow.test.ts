import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findPostgresBinaries, startOutsidePostgres, startStandby } from '#test/database/outside-postgres.ts';
import { runCommand } from '#test/processes/run-command.ts';
import { createSluice } from '#test/processes/sluice-process.ts';

const [binDir] = findPostgresBinaries();

it.skipIf(!binDir)(
  `a node and a command follow the database to a promoted standby${binDir ? '' : ' (skipped: no PostgreSQL is installed)'}`,
  async () => {
    const primary = await startOutsidePostgres(binDir!, {
      rules: ['host replication admin 127.0.0.1/32 trust'],
    });
    let isPrimaryRunning = true;
    onTestFinished(() => (isPrimaryRunning ? primary.stop() : undefined));
    await primary.run('CREATE DATABASE sluice');
    const standby = await startStandby(binDir!, primary);
    onTestFinished(() => standby.stop());

    // The standby is listed first, so a client that uses only the first server cannot start.
    const url = `postgresql://admin@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/sluice?target_session_attrs=read-write`;
    const env = { DATABASE_URL: url, SLUICE_SECRET: 's'.repeat(32) };
    const sluice = await createSluice({ ...env, SLUICE_WORKERS: '2' });
    onTestFinished(() => sluice.remove());
    await sluice.start();
    expect(await call(sluice)).toBe(200);

    isPrimaryRunning = false;
    await primary.stop();
    await standby.promote();
    const readiness = async () => (await fetch(`${sluice.origin}/readyz`)).status;
    await expect.poll(readiness).toBe(200);
    await expect.poll(() => call(sluice)).toBe(200);
    await expect.poll(() => signIn(sluice)).toBe(200);

    const folder = mkdtempSync(join(tmpdir(), 'failover-cli-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const created = await runCommand(
      ['users', 'create', 'ada@one.test', '--json'],
      { ...env, SLUICE_DATA_DIR: folder },
      'a first horse\n',
    );
    expect(created).toMatchObject({ code: 0 });
  },
);

interface Target {
  readonly origin: string;
  readonly apiKey: string;
  readonly admin: { readonly email: string; readonly password: string };
}

const call = async ({ origin, apiKey }: Target): Promise<number> => {
  const response = await fetch(`${origin}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-echo', messages: [{ role: 'user', content: 'Write a test' }] }),
  });
  return response.status;
};

const signIn = async ({ origin, admin }: Target): Promise<number> => {
  const body = new URLSearchParams({ username: admin.email, password: admin.password });
  return (await fetch(`${origin}/api/v1/auth/login`, { method: 'POST', body })).status;
};
