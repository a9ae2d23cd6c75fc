import type { Config } from '#config/config.ts';

/** The first administrator's password is the supervisor's alone. */
export type WorkerConfig = Omit<Config, 'admin'>;

/** All that a worker is told. */
export interface WorkerBoot {
  config: WorkerConfig;
  slot: number;
  /** The worker's own journal folder; no other process touches it while the worker lives. */
  slotDir: string;
  connectionString: string;
  directConnectionString: string;
  secret: string;
  sandboxOrigin: string | null;
}

export type MessageToWorker =
  | { type: 'start'; boot: WorkerBoot }
  /** Comes with the connection; the next one comes after the answer `connection`. */
  | { type: 'connection' }
  /** Answered by `caught-up` with the same id. */
  | { type: 'catch-up'; id: number }
  | { type: 'peers-caught-up'; id: number }
  | { type: 'drain' };

export type MessageFromWorker =
  /** Asks for `start`: sent any earlier, it could arrive before anybody listens. */
  | { type: 'waiting' }
  | { type: 'ready' }
  | { type: 'connection'; isTaken: boolean }
  /** Asks that all other workers catch up with the database; answered by `peers-caught-up` with the same id. */
  | { type: 'catch-up-peers'; id: number }
  | { type: 'caught-up'; id: number }
  | { type: 'failed'; message: string };
