import type { Config } from '#config/config.ts';

/** All that a worker is told. */
export type WorkerBoot = {
  config: Config;
  slot: number;
  /** The worker's own journal folder; no other process touches it while the worker lives. */
  slotDir: string;
  connectionString: string;
  directConnectionString: string;
  secret: string;
  sandboxOrigin: string | null;
};

export type MessageToWorker = { type: 'start'; boot: WorkerBoot } | { type: 'drain' };

export type MessageFromWorker =
  /** Asks for `start`: sent any earlier, it could arrive before anybody listens. */
  { type: 'waiting' } | { type: 'ready' } | { type: 'failed'; message: string; code: string | undefined };
