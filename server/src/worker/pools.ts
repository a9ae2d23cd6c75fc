import type { Pool } from 'pg';
import { splitConnections } from '#config/fit-connections.ts';
import { isPooled } from '#db/is-pooled.ts';
import { createPool, type PoolOptions } from '#db/pool.ts';
import { Replica } from '#db/replica/replica.ts';
import { longestReadMs } from '#gateway/snapshot/mirror.ts';
import type { Logger } from '#platform/logger.ts';
import type { WorkerBoot } from '#supervisor/messages.ts';

// Each purpose has its own pool, so that it does not wait for the statements of other purposes.

export function createConsolePool(boot: WorkerBoot): Pool {
  const { console: max } = splitConnections(boot.config.connectionsPerWorker);
  return open(boot, max, 'sluice-console', { statementMs: 10_000, isFair: true });
}

/** Returns `null` without `DATABASE_READ_URL`. */
export function openReplica(boot: WorkerBoot, primary: Pool, log: Logger): Replica | null {
  const { connectionsPerWorker, replica } = boot.config;
  if (replica === null) return null;
  return new Replica({
    connectionString: replica.url,
    lagMaxMs: replica.lagMaxMs,
    primary,
    // Each reader also uses a connection of the console's pool, so additional connections would remain idle.
    connections: splitConnections(connectionsPerWorker).console,
    log: boot.slot === 0 ? log : null,
  });
}

/** Opens the pool of the snapshot. In a shared pool, slow console statements would soon make the node unready. */
export function createSnapshotPool(boot: WorkerBoot): Pool {
  const { snapshot: max } = splitConnections(boot.config.connectionsPerWorker);
  return open(boot, max, 'sluice-snapshot', { connectMs: 2_000, statementMs: longestReadMs });
}

export function createLeasePool(boot: WorkerBoot): Pool {
  return open(boot, 1, 'sluice-leases', { connectMs: 2_000, statementMs: 2_000 });
}

function open(boot: WorkerBoot, max: number, name: string, options: PoolOptions): Pool {
  return createPool(boot.connectionString, max, name, { ...options, isPooled: isPooled(boot) });
}
