import type { Config } from '#config/config.ts';
import type { ScoredPerson, ShippedRequest } from '#gateway/deviation/scoreboard.ts';
import type { Metrics } from '#telemetry/metrics/catalogue.ts';

/** All that a shipper is told. */
export interface ShipperBoot {
  /** The slots whose journals it ships. */
  slotDirs: string[];
  connectionString: string;
  directConnectionString: string;
  logLevel: Config['logLevel'];
}

export type MessageToShipper =
  | { type: 'start'; boot: ShipperBoot }
  /** Answered by `metrics` with the same id. */
  | { type: 'read-metrics'; id: number }
  /** The workers have ended: ships what is left, for so long at most, and ends. */
  | { type: 'drain'; deadlineMs: number };

/** What a batch has come to, for the worker whose requests these were. */
export interface Shipped {
  readonly journalDir: string;
  readonly requests: readonly ShippedRequest[];
  readonly people: readonly ScoredPerson[];
}

export type MessageFromShipper =
  /** Asks for `start`: sent any earlier, it could arrive before anybody listens. */
  | { type: 'waiting' }
  | { type: 'shipped'; shipped: Shipped }
  /** Nothing is left that it could not ship. It comes every few seconds, and at once after a time in which it could not. */
  | { type: 'up-to-date' }
  | { type: 'metrics'; id: number; metrics: Metrics };
