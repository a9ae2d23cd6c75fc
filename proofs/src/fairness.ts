import { type FairnessFigures, quickPath, runFairness, signInPath } from './load/fairness-run.ts';
import { quantile } from './load/timed-calls.ts';
import type { ProofResult } from './proof.ts';

const connections = Number(process.env.SLUICE_PROOF_CONNECTIONS ?? 400);
const forMs = 20_000;
const slowerMax = 3;
const slowPaths = [
  '/api/v1/user/stats',
  '/api/v1/user/logs',
  '/api/v1/requests/01900000-0000-7000-8000-000000000000',
  signInPath,
];

export async function proveFairness(): Promise<ProofResult> {
  const figures = await runFairness(slowPaths, { connections, forMs });
  console.log(JSON.stringify(figures.map(({ path, statuses }) => ({ path, statuses }))));
  return {
    title: 'one caller of the console does not slow down other tenants',
    holds: figures.every(isFair),
    text: describe(figures),
  };
}

const medianOf = ({ tookMs }: FairnessFigures['idle']) => quantile(tookMs, 0.5);

function isFair({ idle, loaded, statuses }: FairnessFigures): boolean {
  const isPolite = Object.keys(statuses).every((status) =>
    ['200', '401', '404', '429', '503'].includes(status),
  );
  const hasFailed = idle.failures.length + loaded.failures.length > 0;
  return isPolite && !hasFailed && medianOf(loaded) <= slowerMax * medianOf(idle);
}

function describe(figures: readonly FairnessFigures[]): string {
  return `The product runs with one worker and its own database. ${connections} keep-alive connections of one user (or one API key, or without
credential) call one path
continuously. At the same time, an administrator of another tenant calls \`${quickPath}\` 20 times per second. Their median may be at most
${slowerMax} times the median without the load, none of their calls may fail, and no call of the load may get a 500. Callers, worker and database
share the machine's cores.

| path of the load | responses | median without, ms | median with, ms | ratio | p95 without, ms | p95 with, ms | failed |
|---|---|---|---|---|---|---|---|
${figures.map(formatRow).join('\n')}`;
}

function formatRow({ path, idle, loaded, statuses }: FairnessFigures): string {
  const answers = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
  const cells = [
    `\`${path.replace(/[0-9a-f-]{36}/, '{id}')}\``,
    answers.join(', '),
    medianOf(idle).toFixed(1),
    medianOf(loaded).toFixed(1),
    (medianOf(loaded) / medianOf(idle)).toFixed(1),
    quantile(idle.tookMs, 0.95).toFixed(1),
    quantile(loaded.tookMs, 0.95).toFixed(1),
    idle.failures.length + loaded.failures.length,
  ];
  return `| ${cells.join(' | ')} |`;
}
