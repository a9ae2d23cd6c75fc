import { readFileSync } from 'node:fs';

const msPerTick = 10;

/** What a process has used of the processor, its own time and the system's for it. Linux only. */
export function readCpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Behind the name of the process, which may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}
