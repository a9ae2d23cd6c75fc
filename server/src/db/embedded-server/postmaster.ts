import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningProcess } from '#platform/keep-running.ts';
import type { Logger } from '#platform/logger.ts';
import { whenExited } from '#platform/wait.ts';
import { type Cluster, clusterArguments } from './cluster.ts';
import { readLockFile, shutdownSteps } from './leftovers.ts';

const pollEveryMs = 10;
const keptLogLines = 10;
const lastOutputMs = 200;

/** Waits until the server accepts connections, even after a long recovery. */
export async function launchPostmaster(
  cluster: Cluster,
  settings: string[],
  log: Logger,
): Promise<RunningProcess> {
  const { dir, account, binaries } = cluster;
  const child = spawn(join(binaries.dir, 'postgres'), [...clusterArguments(cluster), ...settings], {
    ...account,
    cwd: dir,
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
    // Use a separate process group: a signal to Sluice's group must not stop the database while other processes still
    // write to it.
    detached: true,
  });
  const lastLines = forwardLog(child, log);
  const exited = waitForExit(child, lastLines);
  const isReady = await Promise.race([exited.then(() => false), waitUntilReady(child, dir)]);
  if (!isReady) throw new Error(`the embedded PostgreSQL did not start: ${await exited}`);
  return { exited, stop: () => stopChild(child, exited) };
}

async function waitUntilReady(child: ChildProcess, clusterDir: string): Promise<boolean> {
  while (isRunning(child)) {
    const lock = readLockFile(clusterDir);
    if (lock?.isReady && lock.pid === child.pid) return true;
    await delay(pollEveryMs);
  }
  return false;
}

async function waitForExit(child: ChildProcess, lastLines: string[]): Promise<string> {
  const closed = once(child, 'close').catch(() => {});
  const reason = await whenExited(child);
  // Wait for the last output, but not without limit: a stuck backend can keep the pipe open for a long time.
  await Promise.race([closed, delay(lastOutputMs)]);
  return [`it ${reason}`, ...lastLines].join('\n');
}

async function stopChild(child: ChildProcess, exited: Promise<string>): Promise<void> {
  for (const { signal, waitMs } of shutdownSteps) {
    if (!isRunning(child)) return;
    child.kill(signal);
    const timeout = new AbortController();
    await Promise.race([exited, delay(waitMs, undefined, { signal: timeout.signal }).catch(() => {})]);
    timeout.abort();
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

function forwardLog(child: ChildProcess, log: Logger): string[] {
  const lines: string[] = [];
  if (!child.stderr) return lines;
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line);
    if (lines.length > keptLogLines) lines.shift();
    const [, severity = '', text = line] = /^(\w+): +(.*)$/.exec(line) ?? [];
    if (severity === 'PANIC') log.error({ source: 'postgres' }, text);
    else if (severity === 'FATAL') log.warn({ source: 'postgres' }, text);
    else log.debug({ source: 'postgres' }, text);
  });
  return lines;
}
