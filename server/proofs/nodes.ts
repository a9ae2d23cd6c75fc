import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedServer } from '#db/embedded-server/start-embedded-server.ts';
import { createLogger } from '#platform/logger.ts';
import { startNodeFleet, type Withdrawal, withdrawals } from '../test/node-fleet.ts';
import type { ProofResult } from './proof.ts';

const announced = { count: 200, p99Ms: 1_000 };
const unannounced = { count: 40, maxMs: 5_000 };

/** Takes rights away at one of three nodes and measures for how long any of them honours them. */
export async function proveNodes(): Promise<ProofResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-proof-'));
  const server = await startEmbeddedServer({ dataDir, maxConnections: 60, log: createLogger('warn') });
  try {
    const fleet = await startNodeFleet(server.connectionString);
    try {
      const told = await measure(announced.count, fleet.withdraw);
      fleet.cutNotifications();
      const untold = await measure(unannounced.count, fleet.withdraw);
      return {
        title: 'what is taken away at one node, no node honours for long',
        holds: quantile(told, 0.99) <= announced.p99Ms && quantile(untold, 1) <= unannounced.maxMs,
        text: describe(told, untold),
      };
    } finally {
      await fleet.remove();
    }
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(
  count: number,
  withdraw: (kind: Withdrawal) => Promise<number>,
): Promise<readonly number[]> {
  const latenciesMs: number[] = [];
  while (latenciesMs.length < count) {
    latenciesMs.push(await withdraw(withdrawals[latenciesMs.length % withdrawals.length] ?? 'revoked key'));
  }
  return latenciesMs.toSorted((left, right) => left - right);
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.POSITIVE_INFINITY;
}

function describe(told: readonly number[], untold: readonly number[]): string {
  return `Three supervisors with data folders and ports of their own run on one PostgreSQL; they were started at once on an empty
database. In turn an API key is revoked, a person blocked, a grant removed; each node is asked every 10 ms until it refuses what
it had allowed. Counted is the time from the change to the last node's first refusal. Then their connections for notifications
fall silent, without an end that anyone could notice, and the same is done again.

| | changes | p50 | p99 | longest |
|---|---|---|---|---|
${formatRow('with notifications (p99 at most 1 s)', told)}
${formatRow('without (at most 5 s)', untold)}`;
}

function formatRow(name: string, latenciesMs: readonly number[]): string {
  const quantiles = [0.5, 0.99, 1].map((share) => `${Math.round(quantile(latenciesMs, share))} ms`);
  return `| ${[name, latenciesMs.length, ...quantiles].join(' | ')} |`;
}
