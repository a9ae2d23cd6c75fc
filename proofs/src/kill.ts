import { createKillSubject, type KillKind, killKinds, type RoundFigures } from '#test/load/kill-rounds.ts';
import type { ProofResult } from './proof.ts';

const roundsMax = 100;
/** Time after which no round starts. Slow machines therefore run fewer rounds. */
const limitMs = 3_600_000;

export async function proveKill(): Promise<ProofResult> {
  const subject = await createKillSubject();
  const rounds: RoundFigures[] = [];
  try {
    const endsAtMs = performance.now() + limitMs;
    while (rounds.length < roundsMax && performance.now() < endsAtMs) {
      const kind = killKinds[rounds.length % killKinds.length] ?? 'everything';
      const figures = await subject.runRound({ kind, killsRestart: rounds.length % 12 >= 8 });
      rounds.push(figures);
      console.log(`${rounds.length}: ${describeRound(figures)}`);
    }
  } finally {
    await subject.remove();
  }
  return {
    title: 'every request has exactly one row and one charge when processes are killed',
    holds: rounds.every(({ lost, doubled, faults }) => lost.length + doubled.length + faults.length === 0),
    text: describe(rounds),
  };
}

function describeRound({ kind, known, interrupted, recoveryMs, resolvedMs, ...wrong }: RoundFigures): string {
  const { lost, doubled, faults } = wrong;
  return [
    `${kind}, ${known} requests, lost ${lost.length}, doubled ${doubled.length}, interrupted ${interrupted}`,
    `ready after ${formatSeconds(recoveryMs)}, all free after ${formatSeconds(resolvedMs)}`,
    ...faults,
  ].join(', ');
}

const formatSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

function describe(rounds: readonly RoundFigures[]): string {
  const lines = killKinds.map((kind) =>
    formatRow(
      kind,
      rounds.filter((round) => round.kind === kind),
    ),
  );
  return `The product runs in its normal configuration: a supervisor, two workers, the embedded PostgreSQL. 24 callers of four users send
complete and streamed requests, paid with credits, to an external provider; some disconnect early, some fail at the provider. Two users and the
credits reach their limits in each round. At a random moment SIGKILL is sent to one worker, the shipper, the supervisor, or
all processes at once including PostgreSQL; every third restart is killed as well, at a random moment. Then every request
that the provider has billed, or whose response headers a caller has received, must have one row, and:

- a successful request is charged for the output that the provider generated, and any other request for at most this output; each cost matches its tokens;
- each balance is the sum of its entries, the deductions are the sum of the rows' costs, no entry is booked twice;
- the settled amount of each limit and the rollups match the rows of its user; no limit was exceeded, and no amount is negative;
- after a minute, no amounts are leased, according to the holds of the running nodes.

| killed | rounds | requests | lost rows | duplicate rows | inconsistent accounts | cut off and logged as such | rejected by a limit | all leases released after, at most |
|---|---|---|---|---|---|---|---|---|
${[...lines, formatRow('all', rounds)].join('\n')}`;
}

function formatRow(name: KillKind | 'all', rounds: readonly RoundFigures[]): string {
  const sum = (pick: (round: RoundFigures) => number) =>
    rounds.reduce((total, round) => total + pick(round), 0);
  const cells = [
    name,
    rounds.length,
    sum(({ known }) => known),
    sum(({ lost }) => lost.length),
    sum(({ doubled }) => doubled.length),
    sum(({ faults }) => faults.length),
    sum(({ interrupted }) => interrupted),
    sum(({ refused }) => refused),
    formatSeconds(Math.max(...rounds.map(({ resolvedMs }) => resolvedMs))),
  ];
  return `| ${cells.join(' | ')} |`;
}
