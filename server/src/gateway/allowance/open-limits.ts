import type pg from 'pg';
import type { Logger } from '#platform/logger.ts';
import { BodyBudget } from '../request-body/body-budget.ts';
import { createTokenCounter, type TokenCounter } from '../token-count/token-counter.ts';
import { Concurrency } from './concurrency.ts';
import { releaseNodes } from './expired-nodes.ts';
import { LeaseBook } from './lease-book.ts';
import { createLeaseDatabase } from './lease-queries.ts';
import { type GatewayNode, startNode } from './node.ts';
import { createNodeIds } from './node-ids.ts';

export interface LimitsOptions {
  /** One connection: what is asked of it at once is asked together. */
  readonly pool: pg.Pool;
  readonly slotDir: string;
  /** Requests in flight of one person, and of one key. */
  readonly concurrencyMax: number;
  /** Of all request bodies held at once. */
  readonly bodyBudgetBytes: number;
  readonly log: Logger;
}

/** All limits that this node keeps. */
export interface NodeLimits {
  readonly leases: LeaseBook;
  readonly node: GatewayNode;
  readonly concurrency: Concurrency;
  readonly tokenCounter: TokenCounter;
  readonly bodyBudget: BodyBudget;
  /** `isAllShipped`: nothing that this node has admitted is missing in the database, so that its leases may go. */
  close(isAllShipped: boolean): Promise<void>;
}

const sweepMs = 5_000;

/** Joins the nodes that share limits. Rejects when the database cannot be reached. */
export async function openLimits({
  pool,
  slotDir,
  concurrencyMax,
  bodyBudgetBytes,
  log,
}: LimitsOptions): Promise<NodeLimits> {
  const database = createLeaseDatabase(pool);
  const nodeIds = createNodeIds(slotDir);
  const node = await startNode({ database, keepId: nodeIds.add, log });
  const leases = new LeaseBook(database, node);
  const tokenCounter = createTokenCounter(log);
  const sweeping = setInterval(() => leases.sweep(), sweepMs);
  return {
    leases,
    node,
    concurrency: new Concurrency(concurrencyMax),
    tokenCounter,
    bodyBudget: new BodyBudget(bodyBudgetBytes),
    async close(isAllShipped) {
      clearInterval(sweeping);
      await tokenCounter.close();
      await node.stop();
      await leases.whenQuiet();
      if (!isAllShipped) return;
      try {
        await releaseNodes(pool, nodeIds.read());
        nodeIds.forget();
      } catch (error) {
        log.warn({ error }, 'what this node held of limits is released by the next start');
      }
    },
  };
}
