import { type RollingFigures, restartInTurns, restartPlainly } from './load/rolling-restarts.ts';
import { findNginx } from './processes/nginx.ts';
import type { ProofResult } from './proof.ts';

const rounds = Number(process.env.SLUICE_PROOF_ROUNDS ?? 50);

export async function proveRolling(): Promise<ProofResult> {
  const title = 'restarting two nodes in turn under load fails no request';
  const program = findNginx();
  if (!program) {
    const text = 'Not run: nginx was not found at `/usr/sbin/nginx`, and `SLUICE_TEST_NGINX` is not set.';
    return { title, holds: false, text };
  }
  const all = [await restartInTurns(program, rounds), await restartPlainly(program, rounds)] as const;
  return { title, holds: all.every(isWithoutLoss), text: describe(...all) };
}

function isWithoutLoss({ failed, lost, doubled, unsuccessful }: RollingFigures): boolean {
  return failed.length + lost + doubled + unsuccessful === 0;
}

function describe(routed: RollingFigures, plain: RollingFigures): string {
  return `Two nodes with one worker each (\`SLUICE_DRAIN_DELAY=1 s\`) share one PostgreSQL behind nginx, which does not retry
(\`proxy_next_upstream off\`). 12 callers request complete responses, short streams and streams of several seconds, each on its own connection. In
turn, each node is removed from nginx's list (the list is written and nginx is reloaded, as an orchestrator does), stopped with SIGTERM, started
again, and put back once \`/readyz\` returns 200. Open-source nginx has no health checks. Each request that got a response must have one row with status
success. Then the proof is repeated with \`deploy/nginx.conf\` unchanged and \`SLUICE_DRAIN_DELAY=5 s\`: the nodes are restarted in turn, and nginx
detects stopped nodes by their closed port.

| nginx | restarts | requests | streams | failed | lost rows | duplicate rows | rows without success | longest stop |
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
