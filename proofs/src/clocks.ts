import {
  type ClockFigures,
  type ClockPhase,
  runClockPhase,
  type SharedLimit,
} from './processes/clock-run.ts';
import { startClockSubject } from './processes/clock-subject.ts';
import { findFaketime } from './processes/shifted-clock.ts';
import type { ProofResult } from './proof.ts';

const minutes = 60;
const phases: readonly ClockPhase[] = [
  { name: '10 minutes ahead', startSeconds: 10 * minutes },
  { name: '10 minutes behind', startSeconds: -10 * minutes },
  {
    name: 'stepped back by 20 minutes under load',
    startSeconds: 10 * minutes,
    stepSeconds: -10 * minutes,
  },
];

export async function proveClocks(): Promise<ProofResult> {
  const title = 'a wrong clock on a node extends no access and exceeds no limit';
  const library = findFaketime();
  if (!library) {
    const text =
      'Not run: libfaketime is not installed (Debian package `faketime`), and `SLUICE_TEST_FAKETIME` is not set.';
    return { title, holds: false, text };
  }
  await using subject = await startClockSubject(library);
  const all: ClockFigures[] = [];
  for (const phase of phases) {
    const figures = await runClockPhase(subject, phase);
    console.log(JSON.stringify(figures));
    all.push(figures);
  }
  return { title, holds: all.every(isGood), text: describe(all) };
}

/** Whether the clock was moved and no invariant was violated. */
const isGood = ({ offsetSeconds, credits, requests, faults }: ClockFigures) =>
  Math.abs(Math.abs(offsetSeconds) - 10 * minutes) <= 5 &&
  isKept(credits) &&
  isKept(requests) &&
  faults.length === 0;

const isKept = ({ worth, served, billed, left, lost, doubled }: SharedLimit) =>
  served > 0 && served <= worth && billed === served && served + left === worth && lost + doubled === 0;

function describe(all: readonly ClockFigures[]): string {
  const rows = all.flatMap(({ name, offsetSeconds, ...one }) =>
    (['credits', 'requests'] as const).map((kind) => {
      const { worth, asked, served, billed, left, lost, doubled } = one[kind];
      const limit = kind === 'credits' ? 'credits' : 'requests an hour';
      const cells = [name, `${offsetSeconds} s`, limit, asked, worth, served, billed, left, lost, doubled];
      return `| ${cells.join(' | ')} |`;
    }),
  );
  const said = all.flatMap(({ name, faults }) => faults.map((fault) => `- ${name}: ${fault}`));
  return `Two nodes with one worker each share one PostgreSQL. libfaketime shifts the wall clock of all processes of the second node, but not the clock of
the database. In the last round, the clock is stepped during each load. Both nodes receive more concurrent requests of one key than a limit allows: the limit must not be exceeded, each request
that got a response must have one row and one charge, and the remaining amount must equal what was not served. In addition, sessions and their ends must be visible at the other
node; both nodes must distinguish sessions and API keys that expire in two minutes from those that expired two minutes ago; \`Retry-After\` must name the end of the
hour within 5 s; a slow stream must continue, and a silent stream must be cut off in time, while the clock is wrong (not during a step); rows must be in the partitions of their days; the consoles of both nodes must show
the same balance. The nightly deletion jobs are not checked, since they work in whole days.

| clock of the second node | offset at the end | limit | requests sent | allowed | served | billed | left | lost rows | duplicate rows |
|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}

${said.length === 0 ? 'No other faults were found.' : said.join('\n')}`;
}
