import { median, percentile } from '../report/statistics.ts';
import { formatTable } from '../report/table.ts';

type NamedCall = readonly [name: string, call: () => Promise<unknown>];

/** Returns a row with the latency of each call, measured sequentially. */
export async function timeCalls(
  heading: string,
  repeats: number,
  calls: readonly NamedCall[],
): Promise<string> {
  const rows = [[heading, 'median ms', 'p95 ms']];
  for (const [name, call] of calls) rows.push([name, ...(await timeCall(repeats, call))]);
  return `${formatTable(rows)}\n`;
}

async function timeCall(repeats: number, call: () => Promise<unknown>): Promise<string[]> {
  const times: number[] = [];
  for (let turn = 0; turn <= repeats; turn++) {
    const beganAtMs = performance.now();
    await call();
    // The first turn is a warm-up.
    if (turn > 0) times.push(performance.now() - beganAtMs);
  }
  return [median(times), percentile(times, 0.95)].map((ms) => ms.toFixed(1));
}
