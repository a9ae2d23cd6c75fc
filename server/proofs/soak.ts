import { type SoakFigures, soak } from '#test/load/soak-run.ts';
import { type Growth, measureGrowth } from '#test/processes/growth.ts';
import type { ProofResult } from './proof.ts';

const minutes = Number(process.env.SLUICE_PROOF_MINUTES ?? 30);
const growthMax = 0.05;

/** Runs the product under load for a long time, and checks for leaks and for wrong rows and charges. */
export async function proveSoak(): Promise<ProofResult> {
  const figures = await soak(minutes, (text) => console.log(text));
  const growths = measureGrowth(figures.samples);
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
  return `The product (a worker, a shipper, the embedded PostgreSQL) is loaded for ${figures.minutes} minutes by ${keys} people with a key each, paid with credits, at
70 % of what it can do, which 400 callers at once measure at the start, three times (${maxima.join(', ')} requests a second; the middle one counts). Whole answers
and streams, in two protocols; three of ten callers leave, one of them before any byte, two inside a stream. Once a minute each
process collects its garbage, and its heap is what is left; resident memory and handles are the least of each minute. The first fifth of the time is left out, then a line is laid through the minutes; growth is what it rises by
from the first to the last, by its mean, and must stay below ${growthMax * 100} %. A 503 is a refusal
for too much at once, as while what it can do is measured. The delay of the event loop is shown only: others use this machine too.

| requests | a second | left | answers of the others | rows | lost | doubled | processes that ended | books that disagree, or leased for ever |
|---|---|---|---|---|---|---|---|---|
| ${calls} | ${(calls / seconds).toFixed(0)} | ${left} | ${served.join(', ')} | ${rows} | ${lost} | ${doubled} | ${exits} | ${faults.length} |

| what | first minute | last minute | growth |
|---|---|---|---|
${growths.map(formatRow).join('\n')}${faults.map((fault) => `\n- ${fault}`).join('')}`;
}

function formatRow({ name, first, last, growth, isJudged }: Growth): string {
  return `| ${name} | ${first.toFixed(1)} | ${last.toFixed(1)} | ${(growth * 100).toFixed(1)} %${isJudged ? '' : ' (not judged)'} |`;
}
