import type { Config } from '#config/config.ts';

/** The first administrator's password is the supervisor's alone. */
export type WorkerConfig = Omit<Config, 'admin'>;

/** All that a worker is told. */
export type WorkerBoot = {
  config: WorkerConfig;
  slot: number;
  /** The worker's own journal folder; no other process touches it while the worker lives. */
  slotDir: string;
  connectionString: string;
  directConnectionString: string;
  secret: string;
  sandboxOrigin: string | null;
};

export type MessageToWorker =
  | { type: 'start'; boot: WorkerBoot }
  /** Comes with the connection; the next one comes after the answer `connection`. */
  | { type: 'connection' }
  | { type: 'drain' };

export type MessageFromWorker =
  /** Asks for `start`: sent any earlier, it could arrive before anybody listens. */
  | { type: 'waiting' }
  | { type: 'ready' }
  | { type: 'connection'; isTaken: boolean }
  | { type: 'failed'; message: string };
