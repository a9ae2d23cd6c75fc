import type { UnreadyReason } from '@sluice/contract';
import type { Config } from '#config/config.ts';
import type { Metrics } from '#telemetry/metrics/catalogue.ts';
import type { Shipped } from './shipper-messages.ts';

/** Only the supervisor knows the first administrator's password. */
export type WorkerConfig = Omit<Config, 'admin'>;

/** The data that a worker starts with. */
export interface WorkerBoot {
  config: WorkerConfig;
  slot: number;
  /**
   * The journal of this run of the worker, in the folder of its slot; the worker creates it, the shipper deletes it.
   */
  journalDir: string;
  connectionString: string;
  directConnectionString: string;
  secret: string;
  sandboxOrigin: string | null;
}

export type MessageToWorker =
  | { type: 'start'; boot: WorkerBoot }
  /** Sent with the connection; the next connection follows after the `connection` reply. */
  | { type: 'connection'; hasMore: boolean }
  /** The response is `caught-up` with the same id. */
  | { type: 'catch-up'; id: number }
  | { type: 'peers-caught-up'; id: number }
  /** The response is `metrics` with the same id. */
  | { type: 'read-metrics'; id: number }
  | { type: 'node-metrics'; id: number; metrics: readonly Metrics[] }
  /** Some of the worker's requests are in the database. Delivery is not guaranteed. */
  | { type: 'shipped'; shipped: Shipped }
  /** Why the node is not ready; `null` once it is. A `draining` node still accepts requests until `drain`. */
  | { type: 'unready'; reason: UnreadyReason | null }
  | { type: 'drain' };

export type MessageFromWorker =
  /** Requests `start`, which could arrive before there is a listener if it was sent earlier. */
  | { type: 'waiting' }
  | { type: 'ready' }
  | { type: 'connection'; isTaken: boolean }
  /** Requests that all other workers catch up with the database; the response is `peers-caught-up` with the same id. */
  | { type: 'catch-up-peers'; id: number }
  | { type: 'caught-up'; id: number }
  | { type: 'metrics'; id: number; metrics: Metrics }
  /** Requests the metrics of all processes of the node; the response is `node-metrics` with the same id. */
  | { type: 'read-node-metrics'; id: number }
  | { type: 'failed'; message: string };
