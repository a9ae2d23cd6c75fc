import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { SystemDatabase } from '#db/system.ts';
import { type ListedJob, requestRun, listJobs as selectJobs } from '#jobs/job-list.ts';
import { type Command, type CommandAnswer, formatTable, operandOf } from '../command.ts';
import { asOperator } from '../operator.ts';

const columns = ['JOB', 'STATE', 'LAST SUCCESS', 'NEXT RUN', 'FAILURES', 'LAST ERROR'];

export const listJobs: Command = {
  name: 'jobs list',
  summary: 'Lists every job with its last and next run',
  async run({ config }) {
    const jobs = await asOperator(config, ({ system }) => selectJobs(system));
    return {
      json: jobs,
      text: formatTable(
        columns,
        jobs.map((job) => [
          job.name,
          formatState(job),
          job.succeeded_at,
          job.next_at,
          job.failures,
          job.last_error,
        ]),
      ),
    };
  },
};

function formatState({ is_running, last_error, started_at }: ListedJob): string {
  if (is_running) return 'running';
  if (last_error !== null) return 'failed';
  return started_at === null ? 'not run yet' : 'ok';
}

const lookEveryMs = 500;
const waitMaxMs = 120_000;

export const runJob: Command = {
  name: 'jobs run',
  operands: ['NAME'],
  summary: 'Schedules a job to run now and waits until a node has run it',
  details:
    'A running node starts the job within 5 seconds. Exit code 1 if the run fails.\nWithout a running node the job runs when Sluice starts. The command stops waiting after 2 minutes; the job continues.',
  run: (call) => asOperator(call.config, ({ system }) => requestAndFollow(system, operandOf(call, 'NAME'))),
};

async function requestAndFollow(system: SystemDatabase, name: string): Promise<CommandAnswer> {
  const before = await findJob(system, name);
  if (!before || !(await requestRun(system, name)))
    throw new Error(`There is no job ${name}. "sluice jobs list" shows all jobs.`);
  if (!(await isAnyNodeRunning(system)))
    return { json: before, text: `No node is running: ${name} runs when Sluice starts.` };
  for (const startedMs = performance.now(); performance.now() - startedMs < waitMaxMs; ) {
    await pause(lookEveryMs);
    const now = await findJob(system, name);
    if (now && now.failures > before.failures)
      return { json: now, text: `${name} failed: ${now.last_error ?? 'unknown error'}`, exitCode: 1 };
    if (now && now.succeeded_at !== before.succeeded_at)
      return { json: now, text: `${name} ran in ${Math.round(now.duration_ms ?? 0)} ms.` };
  }
  return {
    json: await findJob(system, name),
    text: `${name} has not finished after 2 minutes. The job continues.`,
  };
}

async function findJob(system: SystemDatabase, name: string): Promise<ListedJob | undefined> {
  return (await selectJobs(system)).find((job) => job.name === name);
}

async function isAnyNodeRunning(system: SystemDatabase): Promise<boolean> {
  const { rows } = await system.execute(sql`SELECT FROM nodes WHERE expires_at > now() LIMIT 1`);
  return rows.length > 0;
}
