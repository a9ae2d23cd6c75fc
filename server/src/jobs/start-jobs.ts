import { Cron } from 'croner';
import { sql } from 'drizzle-orm';
import type { SystemDatabase } from '#db/system.ts';
import type { Logger } from '#platform/logger.ts';
import type { Job } from './job.ts';
import { noteRun } from './note-run.ts';

export interface RunningJobs {
  /** Starts no more; resolves when what runs has ended. */
  stop(): Promise<void>;
}

/** Runs jobs by the clock on every node, each of them on one node at a time. */
export function startJobs(database: SystemDatabase, jobs: readonly Job[], log: Logger): RunningJobs {
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const crons = jobs.map((job) => {
    const run = () => {
      const work = runAlone(database, job, log, stopping.signal).catch(async (error) => {
        log.warn({ error, job: job.name }, 'a job failed; it runs again at its next time');
        await noteFailure(database, job.name, error).catch(() => undefined);
      });
      running.add(work);
      return work.finally(() => running.delete(work));
    };
    return new Cron(job.pattern, { timezone: 'UTC', protect: true, unref: true }, run);
  });
  return {
    async stop() {
      for (const cron of crons) cron.stop();
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** Keeps these locks apart from those that take a number alone or two numbers of the console. */
const lockSpace = 7_153_883;

/** Resolves without running it when another node does; a node that dies loses its lock with its connection. */
export async function runAlone(
  database: SystemDatabase,
  job: Job,
  log: Logger,
  signal = new AbortController().signal,
): Promise<void> {
  await database.transaction(async (tx) => {
    const { rows } = await tx.execute<{ isOurs: boolean }>(
      sql`SELECT pg_try_advisory_xact_lock(${lockSpace}::int, hashtext(${job.name})) AS "isOurs"`,
    );
    if (!rows[0]?.isOurs) return;
    const startedMs = performance.now();
    const figures = (await job.run(tx, log, { database, signal })) ?? {};
    await noteRun(tx, { name: job.name, durationMs: performance.now() - startedMs, figures, error: null });
  });
}

function noteFailure(database: SystemDatabase, name: string, error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message : String(error);
  return noteRun(database, { name, durationMs: 0, figures: {}, error: message });
}
