import type { UnreadyReason } from '@sluice/contract';
import type { Config } from '#config/config.ts';
import type { ShippedRequest, UserScore } from '#gateway/deviation/scoreboard.ts';
import type { Metrics } from '#telemetry/metrics/catalogue.ts';

/** Configuration without the first administrator's password, which only the supervisor has. */
export type WorkerConfig = Omit<Config, 'admin'>;

export interface WorkerBoot {
  config: WorkerConfig;
  slot: number;
  /**
   * Journal folder of this worker run, in the folder of the worker's slot. The worker creates the folder, and the
   * shipper deletes it.
   */
  journalDir: string;
  connectionString: string;
  directConnectionString: string;
  secret: string;
  sandboxOrigin: string | null;
}

export type MessageToWorker =
  | { type: 'start'; boot: WorkerBoot }
  /** Accompanies a connection. The next connection is sent after the `connection` reply. */
  | { type: 'connection'; hasMore: boolean }
  /** Requests a catch-up. The response is `caught-up` with the same id. */
  | { type: 'catch-up'; id: number }
  | { type: 'peers-caught-up'; id: number }
  /** Requests metrics. The response is `metrics` with the same id. */
  | { type: 'read-metrics'; id: number }
  | { type: 'node-metrics'; id: number; metrics: readonly Metrics[] }
  /** Reports that some of the worker's requests are in the database. Delivery is not guaranteed. */
  | { type: 'shipped'; shipped: Shipped }
  /**
   * Reason why the node is not ready; `null` once the node is ready. A `draining` node accepts requests until
   * `drain`.
   */
  | { type: 'unready'; reason: UnreadyReason | null }
  | { type: 'drain' };

export type MessageFromWorker =
  /** Requests `start`. Without this request, `start` could arrive before the process has a listener. */
  | { type: 'waiting' }
  | { type: 'ready' }
  | { type: 'connection'; isTaken: boolean }
  /** Requests that all other workers catch up with the database. The response is `peers-caught-up` with the same id. */
  | { type: 'catch-up-peers'; id: number }
  | { type: 'caught-up'; id: number }
  | { type: 'metrics'; id: number; metrics: Metrics }
  /** Requests the metrics of all processes of the node. The response is `node-metrics` with the same id. */
  | { type: 'read-node-metrics'; id: number }
  | { type: 'failed'; message: string };

export interface ShipperBoot {
  slotDirs: string[];
  connectionString: string;
  directConnectionString: string;
  logStoreUrl: Config['logStoreUrl'];
  bodyStore: Config['bodyStore'];
  searchedLength: Config['searchedLength'];
  secret: string;
  formerSecrets: Config['formerSecrets'];
  logLevel: Config['logLevel'];
}

export type MessageToShipper =
  | { type: 'start'; boot: ShipperBoot }
  /** Requests metrics. The response is `metrics` with the same id. */
  | { type: 'read-metrics'; id: number }
  /** Sent when the workers have exited. The shipper ships the remaining records until the deadline and exits. */
  | { type: 'drain'; deadlineMs: number };

/** Sent to the worker that served the requests. */
export interface Shipped {
  readonly journalDir: string;
  readonly requests: readonly ShippedRequest[];
  readonly scores: readonly UserScore[];
}

export type MessageFromShipper =
  /** Requests `start`. Without this request, `start` could arrive before the process has a listener. */
  | { type: 'waiting' }
  | { type: 'shipped'; shipped: Shipped }
  /** Reports that nothing is left to ship. Sent every few seconds, and immediately after an outage. */
  | { type: 'up-to-date' }
  | { type: 'metrics'; id: number; metrics: Metrics };

/** Numbered requests to another process, matched with their responses. */
export interface Questions<Answer = void> {
  /** Resolves with the response, or with `undefined` if no response will arrive. */
  ask(): Promise<Answer | undefined>;
  answer(id: number, answer: Answer): void;
  close(): void;
}

export function createQuestions<Answer = void>(send: (id: number) => void): Questions<Answer> {
  const open = new Map<number, (answer: Answer | undefined) => void>();
  let isClosed = false;
  let lastId = 0;
  const settle = (id: number, answer: Answer | undefined) => {
    open.get(id)?.(answer);
    open.delete(id);
  };
  return {
    ask() {
      if (isClosed) return Promise.resolve(undefined);
      const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
      lastId += 1;
      open.set(lastId, resolve);
      send(lastId);
      return promise;
    },
    answer: settle,
    close() {
      isClosed = true;
      for (const id of open.keys()) settle(id, undefined);
    },
  };
}
