import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { networkOf } from '#domain/sign-in-throttle.ts';
import { createFairQueue, type FairQueue } from '#platform/fair-queue.ts';

/** Share of the connections that work counts against, from the widest group to the narrowest. */
export type ConnectionShare = readonly [group: string, member: string];

const shares = new AsyncLocalStorage<ConnectionShare>();
/**
 * Returns the share of background work. All of it is one group, so that jobs due at the same time leave a connection
 * to callers.
 */
export function ownShare(purpose: string): ConnectionShare {
  return ['server', purpose];
}

/** Runs work whose connections count against a share. */
export function withShare<Result>(share: ConnectionShare, work: () => Result): Result {
  return shares.run(share, work);
}

function currentShare(): ConnectionShare {
  return shares.getStore() ?? ownShare('other');
}

/** Returns the share of a signed-in caller: tenants take turns, and so do the users within a tenant. */
export function shareOf({ tenantId, userId }: { tenantId: number; userId: number }): ConnectionShare {
  return [`tenant:${tenantId}`, `user:${userId}`];
}

/** Returns the share of an anonymous caller: all anonymous callers are one group, in which networks take turns. */
export function shareOfAddress(address: string): ConnectionShare {
  return ['anonymous', networkOf(address)];
}

/** Maximum number of waiting callers: in total, in a group such as a tenant, and of one member such as a user. */
const waitingMax = [4_000, 2_000, 1_000];
/** Longest wait for a turn; then the pool's own timeout for a connection applies. */
const waitMaxMs = 5_000;

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void;

/**
 * Pool that gives connections to tenants in turn, and within a tenant to its users. A group that has a connection
 * never gets the last free one, so that the next group does not wait for the first one's statements.
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

  /** Number of callers that wait for their turn. */
  get waitingTurns(): number {
    return this.#waiting;
  }

  /** Connects without waiting for a turn. */
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
