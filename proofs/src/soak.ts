import { type SoakFigures, soak } from './load/soak-run.ts';
import { type Growth, measureGrowth } from './processes/growth.ts';
import type { ProofResult } from './proof.ts';

const minutes = Number(process.env.SLUICE_PROOF_MINUTES ?? 30);
const growthMax = 0.05;

export async function proveSoak(): Promise<ProofResult> {
  const figures = await soak(minutes, (text) => console.log(text));
  const growths = measureGrowth(figures.samples, figures.rest);
  const { lost, doubled, exits, faults, statuses } = figures;
  return {
    title: 'no memory, disk or table grows under a long load',
    holds:
      lost + doubled + exits + faults.length === 0 &&
      Object.keys(statuses).every((status) => status === '200' || status === '503') &&
      growths.every(({ isJudged, growth }) => !isJudged || growth < growthMax),
    text: describe(figures, growths),
  };
}

function describe(figures: SoakFigures, growths: readonly Growth[]): string {
  const { calls, doubled, exits, faults, keys, left, lost, maxima, rows, samples, statuses } = figures;
  const seconds = ((samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0)) / 1000;
  const served = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
  return `The product (a worker, a shipper, the embedded PostgreSQL) is loaded for ${figures.minutes} minutes by ${keys} users with a key each, paid with credits, at
70% of its capacity, which is measured three times at the start with 400 concurrent callers (${maxima.join(', ')} requests per second; the median counts). Callers request
complete responses and streams in two protocols. Three of ten callers disconnect, one before the first byte and two during a stream. Once per minute each
process runs garbage collection before its heap is measured; resident memory is the minimum of each minute. The first fifth of the time is ignored, and a line
is fitted to the remaining minutes. Growth is the rise of this line from the first to the last minute, divided by its mean, and must stay below
${growthMax * 100}%. Handles are compared before and after the load, two minutes after the last call; two more are not growth. A 503 is a rejection
due to overload, for example while the capacity is measured. The event loop delay is informational, since other processes use this machine too.

| requests | per second | disconnected | other responses | rows | lost rows | duplicate rows | processes that exited | inconsistent accounts, or leases not released |
|---|---|---|---|---|---|---|---|---|
| ${calls} | ${(calls / seconds).toFixed(0)} | ${left} | ${served.join(', ')} | ${rows} | ${lost} | ${doubled} | ${exits} | ${faults.length} |

| what | first minute | last minute | growth |
|---|---|---|---|
${growths.map(formatRow).join('\n')}${faults.map((fault) => `\n- ${fault}`).join('')}`;
}

function formatRow({ name, first, last, growth, isJudged }: Growth): string {
  return `| ${name} | ${first.toFixed(1)} | ${last.toFixed(1)} | ${(growth * 100).toFixed(1)} %${isJudged ? '' : ' (not judged)'} |`;
}
