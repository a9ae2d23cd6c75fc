import { createKillSubject, type KillKind, killKinds, type RoundFigures } from '../test/kill-rounds.ts';
import type { ProofResult } from './proof.ts';

const roundsOfEach = 12;

/** Kills the running product under load, over and over, and looks for requests that lost or doubled their row. */
export async function proveKill(): Promise<ProofResult> {
  const subject = await createKillSubject();
  const rounds: RoundFigures[] = [];
  try {
    for (let round = 0; round < roundsOfEach; round++) {
      for (const kind of killKinds) {
        const figures = await subject.runRound({ kind, killsRestart: round % 3 === 2 });
        rounds.push(figures);
        console.log(`${rounds.length}: ${describeRound(figures)}`);
      }
    }
  } finally {
    await subject.remove();
  }
  return {
    title: 'each request has exactly one row and limits say what the rows say, whatever is killed',
    holds: rounds.every(
      ({ lost, doubled, drift, holding }) => lost.length + doubled.length + Math.abs(drift) + holding === 0,
    ),
    text: describe(rounds),
  };
}

function describeRound({ kind, known, lost, doubled, interrupted, recoveryMs }: RoundFigures): string {
  const seconds = (recoveryMs / 1000).toFixed(1);
  return `${kind}, ${known} requests, lost ${lost.length}, doubled ${doubled.length}, interrupted ${interrupted}, ${seconds} s`;
}

function describe(rounds: readonly RoundFigures[]): string {
  const lines = killKinds.map((kind) =>
    formatRow(
      kind,
      rounds.filter((round) => round.kind === kind),
    ),
  );
  return `The product runs as its owner starts it: a supervisor, two workers, the embedded PostgreSQL. 24 callers send whole and
streamed requests to a provider outside; some leave early, some fail there. At a random moment SIGKILL hits one worker, the
supervisor, or every process at once; every third restart is killed as well, at a random moment of its replay. Then every
request that the provider has billed, or of whose answer a caller has seen the head, must have one row; the caller's quota must say
what all rows say, and nothing of it may be held by a worker that is gone.

| killed | rounds | requests | lost | doubled | cut off, and logged so | quotas that differ | still held |
|---|---|---|---|---|---|---|---|
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
    sum(({ interrupted }) => interrupted),
    sum(({ drift }) => Number(drift !== 0)),
    sum(({ holding }) => holding),
  ];
  return `| ${cells.join(' | ')} |`;
}
