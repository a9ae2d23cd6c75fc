import { createOverloadSubject, type OverloadFigures } from './load/overload-run.ts';
import type { ProofResult } from './proof.ts';

const rounds = Number(process.env.SLUICE_PROOF_ROUNDS ?? 3);
const times = 3;
const forMs = 10_000;
const goodputMin = 0.8;
const refusedMaxMs = 100;
/** Numbers of connections: behind a load balancer, and for clients without one. */
const keptConnections = 1_000;
const manyConnections = 4_000;

/**
 * Sends three times its capacity to one worker, and measures which requests are served and how the others are
 * rejected.
 */
export async function proveOverload(): Promise<ProofResult> {
  const subject = await createOverloadSubject();
  const figures: OverloadFigures[] = [];
  try {
    for (const connections of [keptConnections, manyConnections]) {
      for (let round = 0; round < rounds; round++) {
        figures.push(await subject.runRound(times, forMs, connections));
        console.log(JSON.stringify({ ...figures.at(-1), impolite: figures.at(-1)?.impolite.slice(0, 3) }));
      }
    }
  } finally {
    await subject.remove();
  }
  return {
    title: 'a worker at three times its capacity continues to serve and rejects the excess immediately',
    holds: figures.every(isBorne),
    text: describe(figures),
  };
}

function isBorne({ failedProbes, goodput, impolite, peak, refusedP99Ms }: OverloadFigures): boolean {
  return (
    goodput >= goodputMin * peak && refusedP99Ms < refusedMaxMs && impolite.length === 0 && failedProbes === 0
  );
}

function describe(figures: readonly OverloadFigures[]): string {
  return `The product runs with one worker. Each round first measures how many requests of 64 callers, which send the next request after each response, are served (the
peak), then offers three times that rate for ${forMs / 1000} s, regardless of responses: over at most ${keptConnections} reused connections, as behind a load balancer, and over
${manyConnections}, as without one. Up to 200 calls may wait for a connection. The
calls use four protocols, and half of them are streamed. At least ${goodputMin * 100}% of the peak must be served, 99 of 100 rejections must arrive within ${refusedMaxMs} ms (from the third second on), each as a 503 \`overloaded\` with
\`retry-after\` in the caller's protocol, and every probe must return 200. Callers, provider and database share the machine's cores with the
worker, and rejected callers retry immediately. Times are measured from the sending of a call.

| connections | peak, a second | offered | served | of the peak | responses | rejected, p50 | rejected, p99 | served, p99 | malformed rejections | probes | failed |
|---|---|---|---|---|---|---|---|---|---|---|---|
${figures.map(formatRow).join('\n')}`;
}

function formatRow(figures: OverloadFigures): string {
  const { failedProbes, goodput, impolite, offered, peak, probes, statuses } = figures;
  const cells = [
    figures.connectionsMax,
    peak.toFixed(0),
    offered.toFixed(0),
    goodput.toFixed(0),
    `${((100 * goodput) / peak).toFixed(0)} %`,
    Object.entries(statuses)
      .map(([status, count]) => `${count} x ${status}`)
      .join(', '),
    `${figures.refusedP50Ms.toFixed(0)} ms`,
    `${figures.refusedP99Ms.toFixed(0)} ms`,
    `${figures.servedP99Ms.toFixed(0)} ms`,
    impolite.length,
    probes,
    failedProbes,
  ];
  return `| ${cells.join(' | ')} |`;
}
