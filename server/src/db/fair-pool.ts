import pg from 'pg';
import { createFairQueue, type FairQueue } from '#platform/fair-queue.ts';
import { currentShare } from './connection-share.ts';

/** Callers that may wait: in all, in a group such as a tenant, and of one member such as a user. */
const waitingMax = [4_000, 2_000, 1_000];
/** Below this, the pool's own timeout for a connection applies. */
const waitMaxMs = 5_000;

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void;

/**
 * A pool whose connections are given out in turn to tenants, and within a tenant to its users. No group gets the last
 * free connection while it has another, so that the next group does not wait for its statements.
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

  /** Callers that wait for their turn. */
  get waitingTurns(): number {
    return this.#waiting;
  }

  /** For what does not wait for its turn. */
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
