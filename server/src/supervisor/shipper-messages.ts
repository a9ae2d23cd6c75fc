import type { Config } from '#config/config.ts';
import type { ScoredPerson, ShippedRequest } from '#gateway/deviation/scoreboard.ts';
import type { Metrics } from '#telemetry/metrics/catalogue.ts';

/** The data that a shipper starts with. */
export interface ShipperBoot {
  /** The slots whose journals it ships. */
  slotDirs: string[];
  connectionString: string;
  directConnectionString: string;
  logLevel: Config['logLevel'];
}

export type MessageToShipper =
  | { type: 'start'; boot: ShipperBoot }
  /** The response is `metrics` with the same id. */
  | { type: 'read-metrics'; id: number }
  /** Sent when the workers have ended: the shipper ships the rest until the deadline and exits. */
  | { type: 'drain'; deadlineMs: number };

/** The result of a batch, for the worker that served the requests. */
export interface Shipped {
  readonly journalDir: string;
  readonly requests: readonly ShippedRequest[];
  readonly people: readonly ScoredPerson[];
}

export type MessageFromShipper =
  /** Requests `start`, which could arrive before there is a listener if it was sent earlier. */
  | { type: 'waiting' }
  | { type: 'shipped'; shipped: Shipped }
  /** Nothing is left to ship. Sent every few seconds, and at once after an outage. */
  | { type: 'up-to-date' }
  | { type: 'metrics'; id: number; metrics: Metrics };
