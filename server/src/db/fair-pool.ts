import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { networkOf } from '#domain/caller-network.ts';
import { createFairQueue, type FairQueue } from '#platform/fair-queue.ts';

/** Groups that a connection counts toward, from the largest to the smallest. */
export type ConnectionShare = readonly [group: string, member: string];

const shares = new AsyncLocalStorage<ConnectionShare>();
/** All background work is one group, so that jobs due at the same time leave a connection for callers. */
export function ownShare(purpose: string): ConnectionShare {
  return ['server', purpose];
}

export function withShare<Result>(share: ConnectionShare, work: () => Result): Result {
  return shares.run(share, work);
}

function currentShare(): ConnectionShare {
  return shares.getStore() ?? ownShare('other');
}

/** Tenants take turns, and users within a tenant take turns. */
export function shareOf({ tenantId, userId }: { tenantId: number; userId: number }): ConnectionShare {
  return [`tenant:${tenantId}`, `user:${userId}`];
}

/** All anonymous callers are one group, in which networks take turns. */
export function shareOfAddress(address: string): ConnectionShare {
  return ['anonymous', networkOf(address)];
}

/** Maximum number of waiting callers in total, per group (such as a tenant) and per member (such as a user). */
const waitingMax = [4_000, 2_000, 1_000];
/** Maximum wait for a turn in milliseconds. Connecting then has the pool's own timeout. */
const waitMaxMs = 5_000;

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void;

/**
 * Tenants take turns, and users within a tenant take turns. A group that already has a connection never gets the last
 * free one, so that another group does not wait for its statements.
 */
export class FairPool extends pg.Pool {
  readonly #inTurn: FairQueue;
  #waiting = 0;

  constructor(options: pg.PoolConfig & { readonly max: number }) {
    super(options);
    const { max } = options;
    this.#inTurn = createFairQueue({
      slots: max,
      waitingMax,
      waitMaxMs,
      runningMax: [max, Math.max(1, max - 1)],
    });
  }

  get waitingTurns(): number {
    return this.#waiting;
  }

  connectAtOnce(): Promise<pg.PoolClient> {
    return super.connect();
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(onConnected: Connected): void;
  override connect(onConnected?: Connected): Promise<pg.PoolClient> | undefined {
    const client = this.#takeTurn();
    if (!onConnected) return client;
    client.then(
      (connected) => onConnected(undefined, connected, connected.release),
      (error: Error) => onConnected(error, undefined, () => undefined),
    );
    return undefined;
  }

  #takeTurn(): Promise<pg.PoolClient> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>();
    this.#waiting++;
    let isWaiting = true;
    const endWait = () => {
      if (isWaiting) this.#waiting--;
      isWaiting = false;
    };
    this.#inTurn(currentShare(), async () => {
      endWait();
      const client = await super.connect();
      const released = Promise.withResolvers<void>();
      const { release } = client;
      client.release = (error) => {
        release(error);
        released.resolve();
      };
      resolve(client);
      await released.promise;
    }).catch((error: unknown) => {
      endWait();
      reject(error);
    });
    return promise;
  }
}
