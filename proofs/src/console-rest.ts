import { type ConsoleRestFigures, watchConsole } from './load/console-rest-run.ts';
import { quantile } from './load/timed-calls.ts';
import type { ProofResult } from './proof.ts';

const minutes = Number(process.env.SLUICE_PROOF_MINUTES ?? 2);
const p99MaxMs = 200;

/**
 * Watches the consoles of two idle installations while all jobs run each minute. One installation has one worker, the
 * other has two.
 */
export async function proveConsoleRest(): Promise<ProofResult> {
  const figures = await Promise.all([watchConsole(1, minutes), watchConsole(2, minutes)]);
  return {
    title: 'jobs do not slow down the console',
    holds: figures.every(isUndisturbed),
    text: describe(figures),
  };
}

function isUndisturbed({ calls, jobFailures, jobRuns, poolTimeouts }: ConsoleRestFigures): boolean {
  const hasFailed = calls.failures.length + jobFailures.length + poolTimeouts > 0;
  return !hasFailed && jobRuns > 0 && quantile(calls.tookMs, 0.99) < p99MaxMs;
}

function describe(figures: readonly ConsoleRestFigures[]): string {
  return `The product with its defaults and its own database runs for ${minutes} minutes, with one parallel installation for each number of workers. In each minute, every job is made
due in the same second. An administrator calls \`/api/v1/admin/users\` once per second. No wait for a connection may time out, no job may fail,
and the 99th percentile of the calls must be below ${p99MaxMs} ms.

| workers | calls | failed calls | pool timeouts | job runs | failed jobs | median, ms | p99, ms | slowest, ms |
|---|---|---|---|---|---|---|---|---|
${figures.map(formatRow).join('\n')}`;
}

function formatRow({ workers, calls, jobFailures, jobRuns, poolTimeouts }: ConsoleRestFigures): string {
  const cells = [
    workers,
    calls.tookMs.length,
    calls.failures.length,
    poolTimeouts,
    jobRuns,
    jobFailures.join('; ') || 0,
    quantile(calls.tookMs, 0.5).toFixed(1),
    quantile(calls.tookMs, 0.99).toFixed(1),
    Math.max(...calls.tookMs).toFixed(1),
  ];
  return `| ${cells.join(' | ')} |`;
}
