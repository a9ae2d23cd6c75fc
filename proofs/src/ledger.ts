import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import pg from 'pg';
import { startEmbeddedServer } from '#db/embedded-server/start-embedded-server.ts';
import { migrate } from '#db/migrate.ts';
import { createSystemDatabase } from '#db/system.ts';
import { findDrift } from '#ledger/prove.ts';
import { createLogger } from '#platform/logger.ts';
import { runSequence, sequences } from '#test/load/ledger-sequences.ts';
import type { ProofResult } from './proof.ts';

const runs = 20_000;

export async function proveLedger(): Promise<ProofResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-proof-'));
  const server = await startEmbeddedServer({ dataDir, maxConnections: 20, log: createLogger('warn') });
  const pool = new pg.Pool({ connectionString: server.connectionString, max: 1 });
  let steps = 0;
  try {
    await migrate(server.connectionString, createLogger('warn'));
    const property = fc.asyncProperty(sequences, (sequence) => {
      steps += sequence.length;
      return runSequence(pool, sequence);
    });
    const outcome = await fc.check(property, { numRuns: runs });
    const drifts = await findDrift(createSystemDatabase(pool), 'sum');
    return {
      title: 'the ledger equals its reference model, and each balance is the sum of its entries',
      holds: !outcome.failed && drifts.length === 0,
      text: describe({ steps, drifts: drifts.length, outcome, entries: await countEntries(pool) }),
    };
  } finally {
    await pool.end();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function countEntries(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('SELECT count(*)::int AS count FROM ledger_entries');
  return rows[0]?.count ?? 0;
}

interface Figures {
  readonly steps: number;
  readonly entries: number;
  readonly drifts: number;
  readonly outcome: { readonly seed: number; readonly numRuns: number; readonly counterexample: unknown };
}

function describe({ steps, entries, drifts, outcome }: Figures): string {
  const { seed, numRuns, counterexample } = outcome;
  const failure = counterexample ? `\n\nFailed for ${JSON.stringify(counterexample, toText)}` : '';
  return `Recharges, bonuses, penalties, adjustments, batches of deductions and refunds of two tenants (some repeated, some too
large, some rolled back at the last moment as in a crash) are applied to PostgreSQL and to a short reference implementation. All entries and their
balances must agree.

| sequences | steps | entries | balances that differ from their sum | seed |
|---|---|---|---|---|
| ${numRuns} | ${steps} | ${entries} | ${drifts} | ${seed} |${failure}`;
}

const toText = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
