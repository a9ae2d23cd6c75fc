import type pg from 'pg';
import type { Logger } from '#platform/logger.ts';
import type { MemoryBudget } from '#platform/memory-budget.ts';
import { createBodyBudget } from '../request-body/body-hold.ts';
import { createTokenCounter, type TokenCounter } from '../token-count/token-counter.ts';
import { Concurrency } from './concurrency.ts';
import { LeaseBook } from './lease-book.ts';
import { createLeaseDatabase } from './lease-queries.ts';
import { createNodeIds, type GatewayNode, startNode } from './node.ts';

export interface LimitsOptions {
  /** Pool with one connection, since concurrent requests share one statement. */
  readonly pool: pg.Pool;
  readonly journalDir: string;
  readonly concurrencyMax: number;
  readonly bodyBudgetBytes: number;
  readonly log: Logger;
}

export interface NodeLimits {
  readonly leases: LeaseBook;
  readonly node: GatewayNode;
  readonly concurrency: Concurrency;
  readonly tokenCounter: TokenCounter;
  readonly bodyBudget: MemoryBudget;
  close(): Promise<void>;
}

const sweepMs = 5_000;

/** Rejects if the database is unreachable. */
export async function openLimits({
  pool,
  journalDir,
  concurrencyMax,
  bodyBudgetBytes,
  log,
}: LimitsOptions): Promise<NodeLimits> {
  const database = createLeaseDatabase(pool);
  const node = await startNode({ database, keepId: createNodeIds(journalDir).add, log });
  const leases = new LeaseBook(database, node);
  const tokenCounter = createTokenCounter(log);
  const sweeping = setInterval(() => leases.sweep(), sweepMs);
  return {
    leases,
    node,
    concurrency: new Concurrency(concurrencyMax),
    tokenCounter,
    bodyBudget: createBodyBudget(bodyBudgetBytes),
    async close() {
      clearInterval(sweeping);
      await tokenCounter.close();
      await node.stop();
      await leases.whenQuiet();
    },
  };
}
