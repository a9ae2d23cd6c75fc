import { runSlowCallers, type SlowCallersFigures, slownesses } from './load/slow-callers-run.ts';
import { runUnreadAnswers, type UnreadAnswersFigures } from './load/unread-answers-run.ts';
import type { ProofResult } from './proof.ts';

const connections = Number(process.env.SLUICE_PROOF_CONNECTIONS ?? 5_000);
const unread = Math.ceil(connections / 10);
const slowerMax = 2;
const grownMaxBytes = 150 * 1024 * 1024;
const sentMaxBytes = 20 * 1024 * 1024;
/** Allowed range of the header timeout in milliseconds, including the check interval. */
const head = { least: 9_000, most: 13_000 };
const limitsMs = { silent: head, head, body: { least: 55_000, most: 65_000 } };
/** Maximum time until a connection is cut: one minute, and another until Node detects that nothing was written. */
const cutMaxMs = 130_000;

/** Connects many slow clients to a worker, and measures their cost and their effect on other clients. */
export async function proveSlowCallers(): Promise<ProofResult> {
  const slow = await runSlowCallers(connections);
  console.log(JSON.stringify(slow));
  const held = await runUnreadAnswers(unread);
  console.log(JSON.stringify(held));
  return {
    title: 'slow callers are disconnected in time and do not affect others',
    holds: areEnded(slow) && areWithinLimits(slow) && isHeldCheaply(held),
    text: describe(slow, held),
  };
}

const areEnded = ({ ended, open }: SlowCallersFigures) =>
  open > 0.95 * connections &&
  slownesses.every((kind) => {
    const { count, longestMs, shortestMs } = ended[kind];
    const { least, most } = limitsMs[kind];
    return count > 0 && shortestMs > least && longestMs < most;
  });

const areWithinLimits = (figures: SlowCallersFigures) =>
  figures.failures.length === 0 && median(figures.besideP99Ms) < slowerMax * median(figures.calmP99Ms);

const isHeldCheaply = (figures: UnreadAnswersFigures) => {
  const { callers, cutAfterMs, faults, grownBytes, rows, writtenBytes } = figures;
  const isPaused = writtenBytes / callers < sentMaxBytes;
  const isBooked = rows.client_closed === callers && faults.length === 0;
  return grownBytes < grownMaxBytes && isPaused && cutAfterMs < cutMaxMs && isBooked;
};

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? 0;

function describe(slow: SlowCallersFigures, held: UnreadAnswersFigures): string {
  const list = (values: readonly number[]) => values.map((value) => value.toFixed(1)).join(', ');
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  const { besideP99Ms, calls, calmP99Ms, ended, failures, open } = slow;
  return `The product runs with one worker. ${connections} connections send nothing, one byte per second of the headers, or one byte per second of a body (a third each), and reconnect
when they are closed; ${open} or more were open at the end of each slice. At the same time, normal callers send 200 requests per second, in slices of 15 s with and without
the slow callers. The last slice with slow callers lasts 65 s, and slow bodies are also cut off during this time. The p99 of the normal callers may be at most ${slowerMax} times the p99 without slow callers, by the median. Callers and provider share the machine's cores with the worker.

| normal calls | failed | p99 without slow callers, ms | p99 with slow callers, ms | idle connections closed after | slow headers after | slow bodies after |
|---|---|---|---|---|---|---|
| ${calls} | ${failures.length} | ${list(calmP99Ms)} | ${list(besideP99Ms)} | ${slownesses.map((kind) => `${ended[kind].count}, ${seconds(ended[kind].shortestMs)} to ${seconds(ended[kind].longestMs)} s`).join(' | ')} |

Then ${held.callers} callers request streams of 200 MB each and read only the first bytes. The worker may use at most ${grownMaxBytes / 1024 / 1024} MB more during this time than after as many
callers that disconnected. Most of the data that the provider sent is in the socket buffers of the operating system. Node.js
checks once per minute whether data was written, so a caller is cut off after one to two minutes. The configured limit is one minute.

| callers | additional memory of the worker, MB | sent by the provider per caller, MB | last cut off after | inconsistent accounts, or holds not released | rows |
|---|---|---|---|---|---|
| ${held.callers} | ${(held.grownBytes / 1024 / 1024).toFixed(1)} | ${(held.writtenBytes / held.callers / 1024 / 1024).toFixed(1)} | ${seconds(held.cutAfterMs)} s | ${held.faults.length} | ${
    Object.entries(held.rows)
      .map(([status, count]) => `${count} x ${status}`)
      .join(', ') || 'none'
  } |`;
}
