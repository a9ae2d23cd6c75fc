import {
  type ClockFigures,
  type ClockPhase,
  runClockPhase,
  type SharedLimit,
} from '#test/processes/clock-run.ts';
import { startClockSubject } from '#test/processes/clock-subject.ts';
import { findFaketime } from '#test/processes/shifted-clock.ts';
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

/** Moves the wall clock of one of two nodes on one database, under load. */
export async function proveClocks(): Promise<ProofResult> {
  const title = 'a wrong clock on a node extends no access and exceeds no limit';
  const library = findFaketime();
  if (!library) {
    const text =
      'Not run: there is no libfaketime (Debian package `faketime`), and `SLUICE_TEST_FAKETIME` names none.';
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
  return `Two nodes (a worker each) run on one PostgreSQL. libfaketime moves the wall clock of all processes of the second, and not that of the
database; in the last round it is stepped amid each load. Both nodes are asked at once, by one key, for more than a limit is worth: it must not be passed, each request
that was answered must have one row and one bill, and what is left must be what was not served. Beside that: sessions and their ends hold at the other
node, sessions with two minutes to live and those that ended two minutes ago are told apart by both, and so are API keys; \`Retry-After\` names the end of the
hour to 5 s; a slow stream goes on and a silent one is cut in time while the clock is wrong (not amid a step of it); rows lie in the partitions of their days; the console of both says
the same balance. What the nightly jobs delete is not looked at: they reckon in days.

| clock of the second node | at the end | limit | asked | worth | served | billed | left | lost rows | doubled rows |
|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}

${said.length === 0 ? 'Nothing else was amiss.' : said.join('\n')}`;
}
