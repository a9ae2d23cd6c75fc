import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedServer } from '#db/embedded-server/start-embedded-server.ts';
import { createLogger } from '#platform/logger.ts';
import { type NodeFleet, startNodeFleet, withdrawals } from '#test/processes/node-fleet.ts';
import { type WithdrawnStream, withdrawStreams } from '#test/providers/withdrawn-streams.ts';
import type { ProofResult } from './proof.ts';

const notifiedLimits = { rounds: 200, p99Ms: 1_000 };
const polledLimits = { rounds: 60, maxMs: 5_000 };
const streams = { count: 100, maxMs: 5_000 };

/** Revokes permissions on one of three nodes, and measures how long any node still accepts requests. */
export async function proveRevocation(): Promise<ProofResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-proof-'));
  const server = await startEmbeddedServer({ dataDir, maxConnections: 60, log: createLogger('warn') });
  try {
    const fleet = await startNodeFleet(server.connectionString);
    try {
      return await prove(fleet);
    } finally {
      await fleet.remove();
    }
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function prove(fleet: NodeFleet): Promise<ProofResult> {
  const notified = await measure(fleet, notifiedLimits.rounds);
  const notifiedStreams = await withdrawStreams(fleet, streams.count);
  fleet.cutNotifications();
  const polled = await measure(fleet, polledLimits.rounds);
  const polledStreams = await withdrawStreams(fleet, streams.count);
  const ended = [...notifiedStreams, ...polledStreams];
  return {
    title: 'revoked access ends on every node within its limit',
    holds:
      quantile(notified, 0.99) <= notifiedLimits.p99Ms &&
      quantile(polled, 1) <= polledLimits.maxMs &&
      ended.every(({ endedAfterMs, faults }) => endedAfterMs <= streams.maxMs && faults.length === 0),
    text: describe({ notified, polled, notifiedStreams, polledStreams }),
  };
}

async function measure(fleet: NodeFleet, rounds: number): Promise<readonly number[]> {
  const latenciesMs: number[] = [];
  while (latenciesMs.length < rounds) {
    const kind = withdrawals[latenciesMs.length % withdrawals.length] ?? 'revoked key';
    latenciesMs.push(await fleet.withdraw(kind));
  }
  return latenciesMs.toSorted((left, right) => left - right);
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.POSITIVE_INFINITY;
}

interface Figures {
  readonly notified: readonly number[];
  readonly polled: readonly number[];
  readonly notifiedStreams: readonly WithdrawnStream[];
  readonly polledStreams: readonly WithdrawnStream[];
}

function describe({ notified, polled, notifiedStreams, polledStreams }: Figures): string {
  return `Three supervisors with their own data folders and ports share one PostgreSQL; they were started at the same time on an empty
database. In turn, an API key is revoked, a user blocked or deactivated, a grant removed, a model blacklisted, a team
deactivated; each node gets a request every 10 ms until it rejects the request. The time from the call to the last node's first
rejection is measured. Then the notification connections of the nodes become silent without being closed,
and the measurement is repeated.

| | changes | p50 | p99 | longest |
|---|---|---|---|---|
${formatRow('with notifications (p99 at most 1 s)', notified)}
${formatRow('without (at most 5 s)', polled)}

Then ${streams.count} streams of different users, spread over the nodes, lose their key, or their user is blocked or deactivated. Each must
end within 5 s; its last frame must state the reason, without an end marker before it; the provider must be cut off, and the row
must state the reason and charge the output that had arrived.

| | streams | wrong ends | tokens generated | tokens charged | p50 | longest |
|---|---|---|---|---|---|---|
${formatStreams('with notifications', notifiedStreams)}
${formatStreams('without', polledStreams)}`;
}

function formatRow(name: string, latenciesMs: readonly number[]): string {
  const quantiles = [0.5, 0.99, 1].map((share) => `${Math.round(quantile(latenciesMs, share))} ms`);
  return `| ${[name, latenciesMs.length, ...quantiles].join(' | ')} |`;
}

function formatStreams(name: string, ended: readonly WithdrawnStream[]): string {
  const sum = (count: (stream: WithdrawnStream) => number) =>
    ended.reduce((total, stream) => total + count(stream), 0);
  const latenciesMs = ended.map(({ endedAfterMs }) => endedAfterMs).toSorted((left, right) => left - right);
  const cells = [
    name,
    ended.length,
    ended.filter(({ faults }) => faults.length > 0).length,
    sum(({ tokensGenerated }) => tokensGenerated),
    sum(({ tokensCharged }) => tokensCharged),
    ...[0.5, 1].map((share) => `${Math.round(quantile(latenciesMs, share))} ms`),
  ];
  return `| ${cells.join(' | ')} |`;
}
