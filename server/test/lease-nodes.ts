import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createPool } from '#db/pool.ts';
import { bookUsage, type UsageLine } from '#gateway/allowance/book-usage.ts';
import { releaseNodes } from '#gateway/allowance/departed-nodes.ts';
import type { Fit, Hold, Subject } from '#gateway/allowance/hold.ts';
import { LeaseBook } from '#gateway/allowance/lease-book.ts';
import { createLeaseDatabase, type LeaseDatabase } from '#gateway/allowance/lease-database.ts';
import type { TestDatabase } from './database.ts';

/** A gateway node reduced to its leases; what it ships, and when, is the test's to say. */
export interface LeaseNode {
  readonly id: string;
  readonly book: LeaseBook;
  /** How many statements it has sent. */
  statements: number;
  /** Lines of ended requests that are not in the database yet, as in a journal. */
  unshipped: UsageLine[];
  isLive: boolean;
  /** From now on nothing of it reaches the database any more but what is replayed. */
  kill(): void;
  /** Takes these amounts, of `kind` for `subjectId` each. */
  take(amounts: Amounts, subjectId: number): Promise<Hold>;
  /** Ends a request that has used so much of each part. */
  end(hold: Hold, used: readonly number[]): void;
  ship(): Promise<void>;
  /** What a replay does with the journal of a killed process. */
  replay(): Promise<void>;
}

export type Amounts = { readonly [Kind in Subject['kind']]?: number };

export interface LeaseNodes {
  add(): Promise<LeaseNode>;
  close(): Promise<void>;
}

/** Nodes in one process, each with connections of its own, that hear what the database announces. */
export async function createLeaseNodes(
  { connectionString, pool }: TestDatabase,
  nowMs: () => number = Date.now,
): Promise<LeaseNodes> {
  await using cleanup = new AsyncDisposableStack();
  const nodes: LeaseNode[] = [];
  const listener = new pg.Client({ connectionString });
  await listener.connect();
  cleanup.defer(() => listener.end());
  await listener.query('LISTEN sluice_changes');
  listener.on('notification', ({ payload = '' }) => {
    for (const { book } of nodes) book.hear(payload);
  });
  const running = cleanup.move();
  return {
    async add() {
      const leasePool = createPool(connectionString, 1, 'test-leases');
      running.defer(() => leasePool.end());
      const database = createLeaseDatabase(leasePool);
      const id = randomUUID();
      await database.register(id, 60_000);
      const node = describeNode(id, database, pool, nowMs);
      nodes.push(node);
      return node;
    },
    close: () => running.disposeAsync(),
  };
}

function describeNode(id: string, database: LeaseDatabase, pool: pg.Pool, nowMs: () => number): LeaseNode {
  let isKilled = false;
  const counted: LeaseDatabase = {
    ...database,
    async change(...parameters) {
      if (isKilled) throw new Error('killed');
      node.statements++;
      return database.change(...parameters);
    },
  };
  const node: LeaseNode = {
    id,
    book: new LeaseBook(counted, { id, nowMs, isLive: () => node.isLive }),
    statements: 0,
    unshipped: [],
    isLive: true,
    kill() {
      isKilled = true;
    },
    async take(amounts, subjectId) {
      return node.book.admit(...request(amounts, subjectId));
    },
    end(hold, used) {
      node.book.settle(hold, used);
      node.unshipped.push(...describeLines(hold, used));
    },
    async ship() {
      const lines = node.unshipped.splice(0);
      const client = await pool.connect();
      await client.query('BEGIN');
      await bookUsage(client, lines);
      await client.query('COMMIT');
      client.release();
    },
    async replay() {
      await node.ship();
      await releaseNodes(pool, [id]);
    },
  };
  return node;
}

/** A request that takes exactly these amounts. */
export function request(amounts: Amounts, subjectId: number): [Subject[], Fit] {
  // safe because the keys are those of its type
  const wanted = Object.entries(amounts) as [Subject['kind'], number][];
  const subjects = wanted.map(([kind]) => ({ kind, subjectId, timeZone: 'UTC' }));
  const fit: Fit = (left) => {
    const lacking = wanted.findIndex(([, amount], index) => amount > (left[index] ?? 0));
    const amount = wanted[lacking]?.[1];
    return amount === undefined ? { amounts: wanted.map(([, one]) => one) } : { lacking, amount };
  };
  return [subjects, fit];
}

/** The lines of a journal's settled record. */
export function describeLines({ nodeId, parts }: Hold, used: readonly number[]): UsageLine[] {
  return parts.map(({ lease, leased }, index) => ({
    nodeId,
    allowanceId: lease.state?.allowanceId ?? '',
    leased,
    used: used[index] ?? 0,
  }));
}
