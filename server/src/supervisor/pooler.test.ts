import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { findPostgresBinaries, startOutsidePostgres } from '#test/database/outside-postgres.ts';
import { findFreePort } from '#test/processes/free-port.ts';
import { createSluice } from '#test/processes/sluice-process.ts';

const program = '/usr/sbin/pgbouncer';
const [binDir] = findPostgresBinaries();
const isMissing = !binDir || !existsSync(program);

async function startPooler(postgresPort: number): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'pooler-'));
  chmodSync(dir, 0o755);
  const port = await findFreePort();
  writeFileSync(
    join(dir, 'pgbouncer.ini'),
    `[databases]\n* = host=127.0.0.1 port=${postgresPort} user=admin\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}
unix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 10\n`,
  );
  const child = spawn(program, ['-u', 'postgres', join(dir, 'pgbouncer.ini')], { stdio: 'ignore' });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    rmSync(dir, { recursive: true });
  });
  return port;
}

it.skipIf(isMissing)(
  `a node works through PgBouncer in transaction mode${isMissing ? ' (skipped: no PgBouncer or no PostgreSQL is installed)' : ''}`,
  async () => {
    const server = await startOutsidePostgres(binDir!);
    onTestFinished(() => server.stop());
    await server.run('CREATE DATABASE sluice');
    const pooler = await startPooler(server.port);
    const direct = `postgresql://admin@127.0.0.1:${server.port}/sluice`;
    const pooled = `postgresql://admin@127.0.0.1:${pooler}/sluice`;

    const alone = await createSluice({ DATABASE_URL: pooled, SLUICE_SECRET: 's'.repeat(32) });
    onTestFinished(() => alone.remove());
    await expect(alone.start()).rejects.toThrow('DATABASE_URL points to PgBouncer. Set DATABASE_DIRECT_URL');

    const sluice = await createSluice({
      DATABASE_URL: pooled,
      DATABASE_DIRECT_URL: direct,
      SLUICE_SECRET: 's'.repeat(32),
      SLUICE_WORKERS: '2',
    });
    onTestFinished(() => sluice.remove());
    await sluice.start();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        fetch(`${sluice.origin}/api/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${sluice.apiKey}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            model: 'sandbox-normal',
            stream: index % 2 === 0,
            messages: [{ role: 'user', content: 'Hello' }],
          }),
        }).then(async (answer) => {
          await answer.text();
          return answer.status;
        }),
      ),
    );
    expect(new Set(answers)).toEqual(new Set([200]));
    const client = new pg.Client({ connectionString: direct });
    await client.connect();
    onTestFinished(() => client.end());
    const countRows = async () =>
      (await client.query("SELECT count(*)::integer AS total FROM request_logs WHERE status = 'success'"))
        .rows[0].total;
    await expect.poll(countRows).toBe(40);
    const through = await client.query(
      "SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE datname = 'sluice' AND application_name LIKE 'sluice-%'",
    );
    expect(through.rows.length).toBeGreaterThan(0);
    expect((await fetch(`${sluice.origin}/readyz`)).status).toBe(200);
    sluice.signal('SIGTERM');
    expect(await sluice.exited).toBe(0);
  },
);
