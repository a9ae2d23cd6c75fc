import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

// Microseconds per clock tick in /proc/<pid>/stat. The value is the same on every platform that Node supports.
const microsPerTick = 10_000;

export interface ProcessEntry {
  pid: number;
  parentPid: number;
  name: string;
  cpuMicros: number;
}

/** Returns a process and all its descendants, ordered by id. */
export function processTree(rootPid: number): ProcessEntry[] {
  const all = readProcesses();
  const members = new Set([rootPid]);
  for (let known = 0; known !== members.size; ) {
    known = members.size;
    for (const { pid, parentPid } of all) if (members.has(parentPid)) members.add(pid);
  }
  return all.filter(({ pid }) => members.has(pid)).sort((one, other) => one.pid - other.pid);
}

export function readCommandLine(pid: number): string {
  return readProcFile(pid, 'cmdline').replaceAll('\0', ' ').trim();
}

/** Returns the resident memory of a process in megabytes; 0 if the process has exited. */
export function readResidentMegabytes(pid: number): number {
  const [, kibibytes = '0'] = /^VmRSS:\s*(\d+) kB/m.exec(readProcFile(pid, 'status')) ?? [];
  return (Number(kibibytes) * 1024) / 1e6;
}

export function parseStat(line: string): ProcessEntry {
  // The name is in parentheses and may contain spaces and parentheses.
  const nameEnd = line.lastIndexOf(')');
  const [head = '', name = ''] = line.slice(0, nameEnd).split(/ \((.*)/s);
  const fields = line.slice(nameEnd + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid: Number(head), parentPid: Number(fields[1]), name, cpuMicros: ticks * microsPerTick };
}

function readProcesses(): ProcessEntry[] {
  if (process.platform !== 'linux') throw new Error('CPU times are read from /proc: this needs Linux');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcFile(Number(name), 'stat'))
    .filter((line) => line !== '')
    .map(parseStat);
}

/** Returns the content of a file, or an empty string if the process has exited. */
function readProcFile(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

const readyWithinMs = 60_000;
const stopWithinMs = 20_000;
const keptCharacters = 2_000;

interface Launch {
  name: string;
  script?: URL;
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  /** Whether the program communicates with `process.send`, and therefore exits together with this process. */
  hasChannel?: boolean;
}

export interface Program {
  pid: number;
  child: ChildProcess;
  /** Waits for a sign from the program. Rejects if the program exits first or takes too long. */
  expect<Sign>(sign: Promise<Sign>, withinMs?: number): Promise<Sign>;
  lastOutput(): string;
}

/** Starts a program whose environment contains only PATH and the given variables. */
export function startProgram(resources: AsyncDisposableStack, launch: Launch): Program {
  const { name, script, command = process.execPath, args = [], env = {}, hasChannel = false } = launch;
  const child = spawn(command, script ? [fileURLToPath(script), ...args] : args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(hasChannel ? (['ipc'] as const) : [])],
  });
  resources.defer(() => stop(child));

  const lastOutput = keepLastOutput(child);
  const ended = describeEnd(child).then((end): never => {
    throw new Error(`${name} ${end}\n${lastOutput()}`);
  });
  ended.catch(() => {});

  const expect: Program['expect'] = async (sign, withinMs = readyWithinMs) => {
    const timeout = new AbortController();
    const tooLate = delay(withinMs, undefined, { signal: timeout.signal }).then((): never => {
      throw new Error(`${name} did not respond within ${withinMs / 1000} s`);
    });
    tooLate.catch(() => {});
    try {
      return await Promise.race([sign, ended, tooLate]);
    } finally {
      timeout.abort();
    }
  };
  return { pid: child.pid ?? 0, child, expect, lastOutput };
}

function keepLastOutput(child: ChildProcess): () => string {
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
      // The process exited before the kill.
    }
  }
}

export async function endWithResources(
  work: (resources: AsyncDisposableStack) => Promise<void>,
): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const interrupted = Promise.withResolvers<never>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => interrupted.reject(new Error(`ended by ${signal}`)));
  }
  await Promise.race([work(resources), interrupted.promise]);
}
