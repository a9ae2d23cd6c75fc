import { createClusterDatabase } from '#test/database/cluster-database.ts';
import { startTestCluster } from '#test/database/database-cluster.ts';
import { createFaultSubject, type FaultFigures, type LinkName, linkNames } from '#test/load/fault-rounds.ts';
import type { ProofResult } from './proof.ts';

/** Rounds per link. `SLUICE_PROOF_ROUNDS` overrides the number. */
const roundsOfEach = Number(process.env.SLUICE_PROOF_ROUNDS ?? 20);
/** Seed of the random decisions. `SLUICE_PROOF_SEED` repeats the decisions of a previous run. */
const seed = process.env.SLUICE_PROOF_SEED ?? String(Date.now());
const harmMs = 5_000;
const recoveryMaxMs = 10_000;

export async function proveFaults(): Promise<ProofResult> {
  await using cleanup = new AsyncDisposableStack();
  const cluster = await startTestCluster('product');
  cleanup.defer(() => cluster.stop());
  const database = await createClusterDatabase(cluster.url, cluster.template);
  cleanup.defer(() => database.close());
  const subject = await createFaultSubject(database.connectionString);
  cleanup.defer(() => subject.remove());
  const rounds: FaultFigures[] = [];
  for (let round = 0; round < roundsOfEach * linkNames.length; round++) {
    const link = linkNames[round % linkNames.length] ?? 'caller-node';
    const figures = await subject.runRound(link, `${seed}-${round}`, harmMs);
    rounds.push(figures);
    console.log(`${round + 1}: ${JSON.stringify(figures)}`);
  }
  return {
    title: 'network faults lose no row and no charge, and the node recovers from them',
    holds: rounds.every(isBorne),
    text: describe(rounds),
  };
}

const isBorne = (figures: FaultFigures) => listFaults(figures).length === 0;

function listFaults({ doubled, ended, faults, hung, lost, recoveryMs, unnamed }: FaultFigures): string[] {
  return [
    ...lost.map((id) => `${id} has no row`),
    ...doubled.map((id) => `${id} has two rows`),
    ...unnamed.map((refusal) => `no code: ${refusal}`),
    ...faults,
    ...(hung > 0 ? [`${hung} calls got no response within 20 s`] : []),
    ...(ended > 0 ? [`${ended} processes ended`] : []),
    ...(recoveryMs > recoveryMaxMs ? [`recovered after ${(recoveryMs / 1000).toFixed(1)} s`] : []),
  ];
}

function describe(rounds: readonly FaultFigures[]): string {
  const wrong = rounds.flatMap((figures) =>
    listFaults(figures).map((fault) => `\n- ${figures.link}, seed ${figures.seed}: ${fault}`),
  );
  return `A TCP proxy runs between callers and node, node and provider, node and database, and shipper and database. In each round one link is
disrupted for ${harmMs / 1000} s under 60 requests per second (complete and streamed, in four protocols, to providers of two protocols, paid with credits; one in five goes to the
console): one chunk of bytes in twenty (three in ten for the database) arrives late or byte by byte, or its connection is cut, half closed, or silent for up to 2 s and then cut; provider bytes
are changed; one COMMIT in five succeeds but its response is lost. All decisions are derived from the seed ${seed}. After each round:

- each request that the provider has billed, or whose response headers a caller has received, has exactly one row;
- a successful request is charged for the output of one of its attempts, and any other request for at most the generated output; all accounts are consistent as in the
proof \`kill\`, and no amounts are leased after a minute;
- every 5xx response contains an error code; no call waits for more than 20 s; no process has exited;
- the node is ready and serves ten calls in a row within 10 s.

| link | rounds | faults | requests | 200 | 4xx | 5xx with code | cut off | wrong | recovered after, at most |
|---|---|---|---|---|---|---|---|---|---|
${linkNames.map((link) => formatRow(rounds, link)).join('\n')}${wrong.join('')}`;
}

function formatRow(rounds: readonly FaultFigures[], link: LinkName): string {
  const chosen = rounds.filter((round) => round.link === link);
  const sum = (pick: (round: FaultFigures) => number) =>
    chosen.reduce((total, round) => total + pick(round), 0);
  const answers = (isIt: (status: string) => boolean) =>
    sum(({ statuses }) =>
      Object.entries(statuses).reduce((total, [status, count]) => total + (isIt(status) ? count : 0), 0),
    );
  const cells = [
    link,
    chosen.length,
    sum(({ begun }) => begun),
    sum(({ calls }) => calls),
    answers((status) => status === '200'),
    answers((status) => status.startsWith('4')),
    answers((status) => status.startsWith('5')),
    answers((status) => status === 'none'),
    sum((round) => listFaults(round).length),
    `${(Math.max(...chosen.map(({ recoveryMs }) => recoveryMs)) / 1000).toFixed(1)} s`,
  ];
  return `| ${cells.join(' | ')} |`;
}
