import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { processTree } from './process-table.ts';

const readyWithinMs = 60_000;
const stopWithinMs = 20_000;
const keptCharacters = 2_000;

interface Launch {
  name: string;
  /** File for Node to run, instead of a command. */
  script?: URL;
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  /** Whether it communicates by `process.send`, and therefore exits when this process does. */
  hasChannel?: boolean;
}

/** Child process that is stopped with the resources it was started in. */
export interface Program {
  pid: number;
  child: ChildProcess;
  /** Waits for a signal from the program; rejects if it exits first or takes too long. */
  expect<Sign>(sign: Promise<Sign>, withinMs?: number): Promise<Sign>;
  /** Returns its latest output. */
  lastWords(): string;
}

/** Starts a program with only PATH and the given variables in its environment. */
export function startProgram(resources: AsyncDisposableStack, launch: Launch): Program {
  const { name, script, command = process.execPath, args = [], env = {}, hasChannel = false } = launch;
  const child = spawn(command, script ? [fileURLToPath(script), ...args] : args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(hasChannel ? (['ipc'] as const) : [])],
  });
  resources.defer(() => stop(child));

  const lastWords = keepLastWords(child);
  const ended = describeEnd(child).then((end): never => {
    throw new Error(`${name} ${end}\n${lastWords()}`);
  });
  ended.catch(() => {});

  const expect: Program['expect'] = async (sign, withinMs = readyWithinMs) => {
    const timeout = new AbortController();
    const tooLate = delay(withinMs, undefined, { signal: timeout.signal }).then((): never => {
      throw new Error(`${name} did not answer within ${withinMs / 1000} s`);
    });
    tooLate.catch(() => {});
    try {
      return await Promise.race([sign, ended, tooLate]);
    } finally {
      timeout.abort();
    }
  };
  return { pid: child.pid ?? 0, child, expect, lastWords };
}

function keepLastWords(child: ChildProcess): () => string {
  let words = '';
  for (const output of [child.stdout, child.stderr]) {
    output?.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-keptCharacters);
    });
  }
  return () => words;
}

async function describeEnd(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = await once(child, 'close');
    return `ended with ${signal ?? `exit code ${code}`}`;
  } catch (error) {
    return `did not start: ${error instanceof Error ? error.message : error}`;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const { pid } = child;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timeout = new AbortController();
  const tooLate = delay(stopWithinMs, 'too late', { signal: timeout.signal }).catch(() => null);
  if ((await Promise.race([exited, tooLate])) === 'too late') killTree(pid);
  timeout.abort();
  await exited;
}

function killTree(rootPid: number): void {
  for (const { pid } of processTree(rootPid)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process exited before it was killed.
    }
  }
}
