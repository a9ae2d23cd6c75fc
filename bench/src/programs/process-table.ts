import { readdirSync, readFileSync } from 'node:fs';

// Unit of /proc/<pid>/stat on every platform that Node runs on.
const microsPerTick = 10_000;

export interface ProcessEntry {
  pid: number;
  parentPid: number;
  name: string;
  /** Used so far by all its threads and its exited children. */
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

/** Returns the command line of a process, its arguments joined by blanks. */
export function readCommandLine(pid: number): string {
  return readProcFile(pid, 'cmdline').replaceAll('\0', ' ').trim();
}

/** Returns the resident memory of a process; 0 if it has exited. */
export function readResidentMegabytes(pid: number): number {
  const [, kibibytes = '0'] = /^VmRSS:\s*(\d+) kB/m.exec(readProcFile(pid, 'status')) ?? [];
  return (Number(kibibytes) * 1024) / 1e6;
}

/** Parses one line of /proc/<pid>/stat. */
export function parseStat(line: string): ProcessEntry {
  // The name is in parentheses and may contain blanks and parentheses itself.
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

/** Returns an empty string if the process has exited. */
function readProcFile(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
