import { setTimeout as pause } from 'node:timers/promises';
import { authRoutes, createClient } from '@sluice/contract';
import pg from 'pg';
import { createSluice, type SluiceProcess } from '#test/processes/sluice-process.ts';
import { callRegularly, type TimedCalls } from './timed-calls.ts';

export interface ConsoleRestFigures {
  readonly workers: number;
  readonly calls: TimedCalls;
  readonly poolTimeouts: number;
  readonly jobRuns: number;
  readonly jobFailures: readonly string[];
}

const everyMs = 1_000;
const jobsEveryMs = 60_000;
const timeoutWords = /timeout exceeded when trying to connect|no slot was free/;

/** Runs the product like `npm start` with all jobs every minute, and calls the console every second. */
export async function watchConsole(workers: number, minutes: number): Promise<ConsoleRestFigures> {
  await using cleanup = new AsyncDisposableStack();
  const sluice = await createSluice({ SLUICE_WORKERS: String(workers), LOG_LEVEL: 'warn' });
  cleanup.defer(() => sluice.remove());
  await sluice.start();
  const pool = new pg.Pool({ connectionString: sluice.connectionString(), max: 1 });
  pool.on('error', () => undefined);
  cleanup.defer(() => pool.end());
  const token = await logIn(sluice);
  const ended = new AbortController();
  const rounds = makeJobsDue(pool, ended.signal);
  const calls = await callRegularly(`${sluice.origin}/api/v1/admin/users`, token, {
    everyMs,
    forMs: minutes * 60_000,
  });
  ended.abort();
  const jobRuns = await rounds;
  const { rows } = await pool.query<{ failure: string }>(
    "SELECT name || ': ' || coalesce(last_error, failures || ' failed') AS failure FROM job_runs WHERE failures > 0",
  );
  return {
    workers,
    calls,
    poolTimeouts: sluice.logged.filter((line) => timeoutWords.test(line)).length,
    jobRuns,
    jobFailures: rows.map(({ failure }) => failure),
  };
}

async function makeJobsDue(pool: pg.Pool, signal: AbortSignal): Promise<number> {
  let runs = 0;
  while (!signal.aborted) {
    await pool.query('UPDATE job_schedules SET next_at = now()');
    await pause(jobsEveryMs, undefined, { signal }).catch(() => undefined);
    const { rows } = await pool.query<{ runs: number }>(
      "SELECT count(*)::int AS runs FROM job_runs WHERE succeeded_at > now() - interval '1 minute'",
    );
    runs += rows[0]?.runs ?? 0;
  }
  return runs;
}

async function logIn({ origin, admin }: SluiceProcess): Promise<string> {
  const { login } = createClient(authRoutes, { baseUrl: origin, headers: () => ({}) });
  return (await login({ form: { username: admin.email, password: admin.password } })).access_token;
}
