import { type RollingFigures, restartInTurns, restartPlainly } from '#test/load/rolling-restarts.ts';
import { findNginx } from '#test/processes/nginx.ts';
import type { ProofResult } from './proof.ts';

/** Overridden by `SLUICE_PROOF_ROUNDS`. */
const rounds = Number(process.env.SLUICE_PROOF_ROUNDS ?? 50);

/** Restarts two nodes behind nginx in turn, under load, and checks for failed requests and lost or duplicate rows. */
export async function proveRolling(): Promise<ProofResult> {
  const title = 'restarting two nodes in turn under load fails no request';
  const program = findNginx();
  if (!program) {
    const text = 'Not run: there is no nginx at `/usr/sbin/nginx`, and `SLUICE_TEST_NGINX` names none.';
    return { title, holds: false, text };
  }
  const all = [await restartInTurns(program, rounds), await restartPlainly(program, rounds)] as const;
  return { title, holds: all.every(isWithoutLoss), text: describe(...all) };
}

function isWithoutLoss({ failed, lost, doubled, unsuccessful }: RollingFigures): boolean {
  return failed.length + lost + doubled + unsuccessful === 0;
}

function describe(routed: RollingFigures, plain: RollingFigures): string {
  return `Two nodes (a worker each, \`SLUICE_DRAIN_DELAY=1 s\`) run on one PostgreSQL behind nginx, which repeats nothing
(\`proxy_next_upstream off\`). 12 callers ask for whole answers, short streams and streams of seconds, each on a connection of its own. In
turn each node is taken out of nginx's list (the list is written and nginx reloaded, as an orchestrator does), told to stop by SIGTERM, started
again, and put back once \`/readyz\` is 200. Open-source nginx does not probe by itself. Each request that was answered must have one row, which says
that it was a success. Then the same with \`deploy/nginx.conf\` as it is shipped and \`SLUICE_DRAIN_DELAY=5 s\`: the nodes are restarted in turn, and nginx
finds out by itself, from the closed port of a node that cannot serve.

| nginx | restarts | requests | of them streams | failed | lost rows | doubled rows | rows without success | longest stop |
|---|---|---|---|---|---|---|---|---|
${formatRow('notified of each restart', routed)}
${formatRow('as shipped, not notified', plain)}`;
}

function formatRow(name: string, figures: RollingFigures): string {
  const { requests, streams, restarts, failed, lost, doubled, unsuccessful, stopMs } = figures;
  const statuses = [...new Set(failed.map(({ status }) => status ?? 'none'))].join(', ');
  const failures = `${failed.length}${statuses && ` (${statuses})`}`;
  const stop = `${(stopMs / 1000).toFixed(1)} s`;
  return `| ${[name, restarts, requests, streams, failures, lost, doubled, unsuccessful, stop].join(' | ')} |`;
}
