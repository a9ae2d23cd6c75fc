import { authRoutes, createClient } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { isFullSize } from '#test/load/sample.ts';

const nights = isFullSize ? 10 : 3;
/** Maximum query time of a console page. It must be well below the stall for a second connection (5 s). */
const screenMaxMs = 2_000;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ logLevel: 'warn' });
});
afterAll(() => gateway.stop());

async function signIn(): Promise<string> {
  const { email: username, password } = gateway.admin;
  const { login } = createClient(authRoutes, { baseUrl: gateway.origin, headers: () => ({}) });
  return (await login({ form: { username, password } })).access_token;
}

async function readNames(): Promise<string[]> {
  const { rows } = await gateway.pool.query<{ name: string }>('SELECT name FROM job_schedules ORDER BY name');
  return rows.map(({ name }) => name);
}

/** Moves time to the next night, when all jobs are due in the same second. Returns that time. */
async function beginNight(night: number): Promise<Date> {
  await gateway.pool.query(
    "INSERT INTO login_attempts (subject, window_start, attempts) VALUES ($1, now() - interval '3 days', 1)",
    [`night ${night}`],
  );
  const { rows } = await gateway.pool.query<{ now: Date }>(
    "WITH night AS (UPDATE job_schedules SET next_at = now() - interval '1 second') SELECT clock_timestamp() AS now",
  );
  return rows[0]?.now ?? new Date();
}

it(`jobs do not fail and the console stays responsive in ${nights} nights with one worker`, {
  timeout: 120_000,
}, async () => {
  const token = await signIn();
  await expect.poll(async () => (await readNames()).length).toBeGreaterThan(15);
  const names = await readNames();
  let slowestMs = 0;
  for (let night = 0; night < nights; night++) {
    const beganAt = await beginNight(night);
    const countDone = async () => {
      const startedMs = performance.now();
      const answer = await fetch(`${gateway.origin}/api/v1/admin/users`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(answer.status).toBe(200);
      slowestMs = Math.max(slowestMs, performance.now() - startedMs);
      const done = await gateway.pool.query(
        'SELECT FROM job_runs r JOIN job_schedules USING (name) WHERE r.succeeded_at > $1 AND next_at > now()',
        [beganAt],
      );
      return done.rowCount;
    };
    await expect.poll(countDone, { timeout: 30_000, interval: 50 }).toBe(names.length);
  }
  const failed = await gateway.pool.query('SELECT name, last_error FROM job_runs WHERE failures > 0');
  expect(failed.rows).toEqual([]);
  expect(gateway.problems.map(({ msg }) => msg)).toEqual([]);
  expect(slowestMs).toBeLessThan(screenMaxMs);
  const old = await gateway.pool.query("SELECT FROM login_attempts WHERE subject LIKE 'night %'");
  expect(old.rowCount).toBe(0);
});
