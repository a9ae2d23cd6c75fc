import { randomUUIDv7 } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { UnreadyReason } from '@sluice/contract';
import { keepRunning } from '#platform/keep-running.ts';
import type { Logger } from '#platform/logger.ts';
import type { ConnectionReceiver } from './connection-dispatcher.ts';
import type { Shipped, WorkerBoot } from './messages.ts';
import type { NodeMetrics } from './node-metrics.ts';
import { forkWorker, type WorkerProcess } from './worker-process.ts';

const slotName = /^slot-\d+$/;
const folderMode = 0o700;

/** The folders are private, since journals contain prompts. */
export function makeSlotDirs(journalDir: string, count: number): string[] {
  const dirs = Array.from({ length: count }, (_, slot) => join(journalDir, `slot-${slot}`));
  for (const dir of dirs) mkdirSync(dir, { recursive: true, mode: folderMode });
  return dirs;
}

/** Returns the folders of all slots, including slots that no worker uses. */
export function listSlotDirs(journalDir: string): string[] {
  return readdirSync(journalDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && slotName.test(entry.name))
    .map((entry) => join(journalDir, entry.name));
}

/**
 * Throws if a killed process of an earlier version has left a journal in a format that only that version can read. A
 * version that stopped normally leaves no journal.
 */
export function refuseFormerJournals(slotDirs: readonly string[]): void {
  const former = slotDirs.find((dir) => readdirSync(dir).some((name) => name.endsWith('.journal')));
  if (!former) return;
  throw new Error(
    `${former} contains requests that an earlier version has not written to the database. Start that version again and stop it with SIGTERM, then start this one. Alternatively, delete the folder; the log rows of these requests are then lost.`,
  );
}

/** Returns a new journal folder for a worker run. Folder names sort by start time. */
export function nameRun(slotDir: string): string {
  return join(slotDir, `run-${randomUUIDv7()}`);
}

export interface WorkerPool {
  /** Resolves when every worker is ready. Rejects if a worker cannot start. */
  whenReady(): Promise<void>;
  /** Does nothing if the worker has exited. */
  sendShipped(shipped: Shipped): void;
  /** Workers return the reason to probes. */
  sendUnready(reason: UnreadyReason | null): void;
  /** Kills the remaining workers at the deadline or when `forced` aborts. */
  stop(): Promise<void>;
}

type SlotBoot = Omit<WorkerBoot, 'journalDir'> & { slotDir: string };

interface Options {
  file: string;
  boots: SlotBoot[];
  metrics: NodeMetrics;
  onReady: (worker: ConnectionReceiver) => void;
  killAfterMs: number;
  forced: AbortSignal;
  log: Logger;
}

/** Replaces workers that exit. */
export function startWorkers(options: Options): WorkerPool {
  const { file, boots, metrics, onReady, killAfterMs, forced, log } = options;
  const timeout = new AbortController();
  const deadline = AbortSignal.any([timeout.signal, forced]);
  const ready = new Set<WorkerProcess>();
  let unready: UnreadyReason | null = null;
  const start = ({ slotDir, ...slotBoot }: SlotBoot) => {
    const boot = { ...slotBoot, journalDir: nameRun(slotDir) };
    const catchUpPeers = async () => {
      const peers = [...ready].filter((peer) => peer !== worker);
      await Promise.all(peers.map((peer) => peer.catchUp()));
    };
    const asks = { catchUpPeers, readNodeMetrics: metrics.read };
    const worker: WorkerProcess = forkWorker(file, boot, deadline, asks);
    worker.ready.then(
      () => {
        ready.add(worker);
        worker.sendUnready(unready);
        metrics.add('worker', worker);
        onReady(worker);
      },
      () => {},
    );
    worker.exited.then(() => ready.delete(worker));
    return worker;
  };
  const workers = boots.map((boot) => {
    const first = start(boot);
    const launch = async () => start(boot);
    return { ready: first.ready, stop: keepRunning(first, { name: `worker ${boot.slot}`, launch, log }) };
  });
  return {
    async whenReady() {
      await Promise.all(workers.map((worker) => worker.ready));
    },
    sendShipped(shipped) {
      for (const worker of ready) if (worker.journalDir === shipped.journalDir) worker.sendShipped(shipped);
    },
    sendUnready(reason) {
      unready = reason;
      for (const worker of ready) worker.sendUnready(reason);
    },
    async stop() {
      const timer = setTimeout(() => timeout.abort(), killAfterMs);
      await Promise.all(workers.map((worker) => worker.stop()));
      clearTimeout(timer);
    },
  };
}
