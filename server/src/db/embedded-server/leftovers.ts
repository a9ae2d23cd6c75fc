import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '#platform/logger.ts';

const lockFileName = 'postmaster.pid';

const statusLine = 7;

/** Returns `null` if the file cannot be read, for example because no server is running. */
export function readLockFile(clusterDir: string): { pid: number; isReady: boolean } | null {
  try {
    const lines = readFileSync(join(clusterDir, lockFileName), 'utf8').split('\n');
    return { pid: Number(lines[0]), isReady: lines[statusLine]?.trim() === 'ready' };
  } catch {
    return null;
  }
}

interface Step {
  signal: NodeJS.Signals;
  waitMs: number;
}

/**
 * PostgreSQL's shutdown modes in the order in which they are tried: fast, immediate (with recovery at the next
 * start), then SIGKILL.
 */
export const shutdownSteps: Step[] = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];
const pollEveryMs = 10;

/**
 * Stops the server that a killed process left running on the cluster and removes its lock file. PostgreSQL would
 * consider the lock file valid if the process id now belongs to a zombie or another process. The caller must hold the
 * data folder's lock.
 */
export async function endLeftovers(clusterDir: string, log: Logger): Promise<void> {
  const lock = readLockFile(clusterDir);
  if (!lock) return;
  if (findServerProcesses(clusterDir).includes(lock.pid)) {
    log.warn({ postmaster: lock.pid }, 'stopping the PostgreSQL server of a Sluice that was killed');
    await endProcesses([lock.pid], shutdownSteps);
  }
  // Backends without a postmaster exit on their own, but only after their current query.
  await endProcesses(findServerProcesses(clusterDir), shutdownSteps.slice(1));
  rmSync(join(clusterDir, lockFileName), { force: true });
}

async function endProcesses(pids: number[], steps: Step[]): Promise<void> {
  let alive = pids.filter(isAlive);
  for (const { signal, waitMs } of steps) {
    for (const pid of alive) sendSignal(pid, signal);
    const deadlineMs = performance.now() + waitMs;
    while (alive.length > 0 && performance.now() < deadlineMs) {
      await delay(pollEveryMs);
      alive = alive.filter(isAlive);
    }
  }
  if (alive.length > 0)
    throw new Error(
      `PostgreSQL processes ${alive.join(', ')} of an earlier run did not exit. Stop them, then start Sluice again.`,
    );
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already exited.
  }
}

/** On Linux, the process state is read, because a zombie accepts signals like a running process. */
function isAlive(pid: number): boolean {
  if (process.platform === 'linux') return readProcess(pid) !== null;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * On Linux, finds server processes by their working directory, which is the cluster; on other systems, by their command
 * line.
 */
function findServerProcesses(clusterDir: string): number[] {
  if (process.platform !== 'linux') return findByCommandLine(clusterDir);
  const cluster = statSync(clusterDir);
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && readProcess(pid) === 'postgres' && worksIn(pid, cluster));
}

function findByCommandLine(clusterDir: string): number[] {
  return execFileSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`postgres -D ${clusterDir} `))
    .map((line) => Number.parseInt(line, 10));
}

/** Returns `null` if the process has exited or is a zombie. */
function readProcess(pid: number): string | null {
  try {
    const [, command, state] = /\((.*)\) (\w)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return command === undefined || state === 'Z' || state === 'X' ? null : command;
  } catch {
    return null;
  }
}

function worksIn(pid: number, folder: { dev: number; ino: number }): boolean {
  try {
    const { dev, ino } = statSync(`/proc/${pid}/cwd`);
    return dev === folder.dev && ino === folder.ino;
  } catch {
    return false;
  }
}
