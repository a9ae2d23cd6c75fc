import type { UnreadyReason } from '@sluice/contract';
import type { Config } from '#config/config.ts';
import type { Metrics } from '#telemetry/metrics/catalogue.ts';
import type { Shipped } from './shipper-messages.ts';

/** The first administrator's password is the supervisor's alone. */
export type WorkerConfig = Omit<Config, 'admin'>;

/** All that a worker is told. */
export interface WorkerBoot {
  config: WorkerConfig;
  slot: number;
  /** The journal of this worker's life, in the folder of its slot; the worker creates it, the shipper deletes it. */
  journalDir: string;
  connectionString: string;
  directConnectionString: string;
  secret: string;
  sandboxOrigin: string | null;
}

export type MessageToWorker =
  | { type: 'start'; boot: WorkerBoot }
  /** Comes with the connection; the next one, if the node has more, comes after the answer `connection`. */
  | { type: 'connection'; hasMore: boolean }
  /** Answered by `caught-up` with the same id. */
  | { type: 'catch-up'; id: number }
  | { type: 'peers-caught-up'; id: number }
  /** Answered by `metrics` with the same id. */
  | { type: 'read-metrics'; id: number }
  | { type: 'node-metrics'; id: number; metrics: readonly Metrics[] }
  /** Some of its requests are in the database. It may not come. */
  | { type: 'shipped'; shipped: Shipped }
  /** Why the node is not ready, and `null` once it is. A node that is `draining` still takes requests until `drain` comes. */
  | { type: 'unready'; reason: UnreadyReason | null }
  | { type: 'drain' };

export type MessageFromWorker =
  /** Asks for `start`: sent any earlier, it could arrive before anybody listens. */
  | { type: 'waiting' }
  | { type: 'ready' }
  | { type: 'connection'; isTaken: boolean }
  /** Asks that all other workers catch up with the database; answered by `peers-caught-up` with the same id. */
  | { type: 'catch-up-peers'; id: number }
  | { type: 'caught-up'; id: number }
  | { type: 'metrics'; id: number; metrics: Metrics }
  /** Asks for the metrics of all processes of the node; answered by `node-metrics` with the same id. */
  | { type: 'read-node-metrics'; id: number }
  | { type: 'failed'; message: string };
